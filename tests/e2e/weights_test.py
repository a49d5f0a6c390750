"""Which candidates hosts/candidate_host.py gives the reference's weights, and what it says of others.

    python weights_test.py HOSTS
"""

import sys
from unittest import mock

import torch

sys.path.insert(0, sys.argv[1])
import candidate_host  # noqa: E402

VALUE = 7.0  # of every weight of the reference
OTHERS = (
    "it was given weights of other values than its constructor drew: a copy made there would be "
    "out of date"
)
NAMES = "none of the reference's weights were given to the candidate: its state_dict "


class Model(torch.nn.Module):
    """Has a tensor of zeros for each name, in the shape that is given."""

    def __init__(self, shapes: dict[str, list[int]]) -> None:
        super().__init__()
        for name, shape in shapes.items():
            self.register_buffer(name, torch.zeros(shape))


class Keeping(Model):
    """Has a state that is no tensor, and a parameter without a shape as well."""

    def __init__(self, shapes: dict[str, list[int]]) -> None:
        super().__init__(shapes)
        self.later = torch.nn.LazyLinear(2)

    def get_extra_state(self) -> dict[str, int]:
        return {"step": 3}

    def set_extra_state(self, state: dict[str, int]) -> None:
        raise AssertionError("nothing was kept of it")


def given(
    own: dict[str, list[int]], wanted: dict[str, list[int]], kind: type[Model] = Model
) -> tuple[list[str], str]:
    """The names that got the reference's values, and the remark."""
    library = mock.Mock()
    library.kb_candidate_state.side_effect = lambda place: place
    host = candidate_host.Host(library, "cpu", ["candidate.py"])
    shapes = list(wanted.values())
    host.tensor = lambda place: torch.full(shapes[place], VALUE)  # type: ignore[method-assign]
    model = kind(own)
    host.give_weights(model, [{"name": n, "shape": s} for n, s in wanted.items()])
    said = [call.args[0].decode() for call in library.kb_candidate_remark.call_args_list]
    got = [name for name, tensor in model.named_buffers() if bool((tensor == VALUE).all())]
    return got, " ".join(said)


def loaded(own: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, str]:
    """What a candidate's tensor is after it was given this one of the reference, and the remark."""
    library = mock.Mock()
    host = candidate_host.Host(library, "cpu", ["candidate.py"])
    host.tensor = lambda place: value  # type: ignore[method-assign]
    model = Model({})
    model.register_buffer("a", own)
    host.give_weights(model, [{"name": "a", "shape": list(value.shape)}])
    said = [call.args[0].decode() for call in library.kb_candidate_remark.call_args_list]
    return model.get_buffer("a"), " ".join(said)


def of_other_types() -> int:
    """How many of a candidate's tensors are not treated as they should be: those of another type
    are converted, which PyTorch does not do to compare them, and of another device differ."""
    wide = torch.full((2,), VALUE)
    narrow, other = wide.to(torch.float8_e4m3fn), wide.to(torch.float8_e5m2)
    wrong = 0
    for own, value, said in (
        (narrow, wide, OTHERS),
        (wide, narrow, OTHERS),
        (other, narrow, OTHERS),
        (narrow, narrow, ""),
        (torch.zeros_like(wide).to(torch.float8_e4m3fn), narrow, OTHERS),
        (wide.to("meta"), wide, OTHERS),
    ):
        what = f"{own.dtype} on {own.device} for {value.dtype}"
        found, remark = loaded(own.clone(), value)
        given_it = found.is_meta or bool((found.float() == VALUE).all())
        if (found.dtype, given_it, remark) != (own.dtype, True, said):
            print(f"{what}: {found}, {remark!r}")
            wrong += 1
    return wrong


def main() -> int:
    """Exit code 0 when all are as they should be."""
    a, b, other = {"a": [2]}, {"b": [3]}, {"a": [3]}
    many = {name: [1] for name in "vwxyz"}
    known = [
        (a, {}, [], ""),
        (a, a, ["a"], OTHERS),
        ({**a, **b}, a, ["a"], OTHERS),
        (a, {**a, **b}, [], NAMES + "lacks b"),
        (b, a, [], NAMES + "lacks a; has besides b"),
        (other, a, [], NAMES + "has in another shape a"),
        ({}, many, [], NAMES + "lacks v, w, x and more"),
    ]
    wrong = of_other_types()
    for own, wanted, got, said in known:
        found = given(own, wanted)
        if found != (got, said):
            print(f"{own} for {wanted}: {found}, not {(got, said)}")
            wrong += 1
    for wanted, got, said in ({}, [], ""), (a, ["a"], OTHERS):
        if given(a, wanted, Keeping) != (got, said):
            print(f"a module that keeps more for {wanted}: {given(a, wanted, Keeping)}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
