"""What hosts/oracle_host.py learns of references whose nature is known, and which it refuses.

    oracle_host_test.py HOSTS
"""

import json
import sys
from collections.abc import Iterable
from typing import Any
from unittest import mock

import torch

sys.path.insert(0, sys.argv[1])
import candidate_host  # noqa: E402
import oracle_host  # noqa: E402
import refusals  # noqa: E402
import tf32_setting  # noqa: E402
import widened  # noqa: E402

FAILED: list[str] = []
X = "torch.randn(4, 3)"
FLAGS = "torch.tensor(numpy.random.rand(9) > 0.5)"
SMALL = "torch.randint(0, 99, (40,), dtype=torch.int8)"
SEED_IN_IT = "get_inputs makes the same inputs"
NO_TENSOR = "without a tensor in it"
# How a file may say where TF32 is allowed, and where it is then.
TF32_SETTINGS = (
    ("torch.backends.cuda.matmul.allow_tf32 = True", "cudnn+matmul"),
    ("torch.set_float32_matmul_precision('high')", "cudnn+matmul"),
    ("torch.backends.cuda.matmul.fp32_precision = 'tf32'", "cudnn+matmul"),
    ("torch.backends.fp32_precision = 'tf32'", "cudnn+matmul"),
    ("torch.backends.cudnn.allow_tf32 = False", "none"),
    ("torch.backends.cudnn.conv.fp32_precision = 'ieee'", "none"),
)
# What a file may turn round for good.
SWITCHES = [
    "torch.backends.cudnn.benchmark",
    "torch.backends.cudnn.deterministic",
    "torch.backends.cudnn.enabled",
    "torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction",
    "torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction",
]
if hasattr(torch.backends.cuda.matmul, "allow_fp16_accumulation"):  # PyTorch 2.7
    SWITCHES.append("torch.backends.cuda.matmul.allow_fp16_accumulation")
ATTENTIONS = ("flash", "mem_efficient", "math", "cudnn")
# How it says so, and how PyTorch is asked.
TURNED = {
    **{f"{switch} = not {switch}": switch for switch in SWITCHES},
    **{
        f"torch.backends.cuda.enable_{name}_sdp(not torch.backends.cuda.{name}_sdp_enabled())": (
            f"torch.backends.cuda.{name}_sdp_enabled()"
        )
        for name in ATTENTIONS
    },
    "torch.backends.cudnn.benchmark_limit = 3": "torch.backends.cudnn.benchmark_limit",
}
NORMS = """
    def __init__(self, given=0.25):
        super().__init__()
        self.eval_norm, self.norm = torch.nn.BatchNorm1d(3).eval(), torch.nn.BatchNorm1d(3)
        self.scale = torch.nn.Parameter(torch.ones(1))
        self.single = torch.nn.Parameter(torch.tensor(1.0))
        self.given = torch.nn.Parameter(torch.tensor(given))
        self.faint = torch.nn.Parameter(torch.full((3,), 1e-6))
        self.same = torch.nn.Parameter(torch.eye(3))
        self.slope, self.drawn = torch.nn.PReLU(), torch.nn.Parameter(torch.rand(1))
        self.register_buffer("mask", torch.ones(3))
    def forward(self, x):
        return self.norm(self.eval_norm(x)) * self.scale * self.single * self.given * self.mask * self.drawn
"""
DRAWN = """
    def __init__(self):
        super().__init__()
        self.drawn = random.random(), numpy.random.rand(), torch.rand(()).item()
    def forward(self, x):
        return x * sum(self.drawn)
"""


def expect(what: str, found: object, wanted: object) -> None:
    """Remembers what is not as it should be."""
    if found != wanted:
        FAILED.append(f"{what}: {found!r}, wanted {wanted!r}")


def answers(questions: Iterable[str]) -> dict[str, object]:
    """PyTorch's own."""
    return {question: eval(question) for question in questions}


def forward(result: str) -> str:
    """The body of a model whose forward returns this of x."""
    return f"\n    def forward(self, x):\n        return {result}\n"


def source(body: str, inputs: str = f"[{X}]", first: str = "pass", name: str = "Model") -> str:
    """A file. `first`: a statement of get_inputs before it draws."""
    head = "import random\nimport numpy\nimport torch\n\n\n"
    draws = f"\n\ndef get_inputs():\n    {first}\n    return {inputs}\n"
    return head + f"class {name}(torch.nn.Module):\n{body}{draws}"


def new_host() -> oracle_host.Host:
    """A lane's, without the library that is compiled."""
    with mock.patch.object(oracle_host.ctypes, "CDLL"):
        library = oracle_host.load_library("")
    library.kb_oracle_tensor.return_value = 0
    return oracle_host.Host(library, "cpu")


def request(text: str, *, mixed: bool = False, redraw: bool = False) -> dict[str, Any]:
    """To open this file."""
    return {
        "id": "level1/1",
        "source": text,
        "reference": "Model",
        "precision": "as_given",
        "precision_rule": "as_reference",
        "construction_seed": 42,
        "redraw_flat_parameters": redraw,
        "redraw_seed": 7,
        "cpu_seeds": [],
        "mixed_inputs": mixed,
    }


def refusal(text: str, *, mixed: bool = False) -> str:
    """Why the file is no problem; empty: it is one."""
    host = new_host()
    host.guarded(host.open, json.dumps(request(text, mixed=mixed)).encode())
    said = host.library.kb_oracle_fail.call_args_list
    return said[0].args[0].decode() if said else ""


def outputs_are_flattened_alike() -> None:
    """By both hosts: what is a tensor, in order."""
    for result, count in (
        ("x", 1),
        ("(x, (x, x))", 3),
        ("[x, None, 3, 1.5, 'text', True]", 1),
        ("{'y': x, 'z': [x, {'w': x}]}", 3),
    ):
        facts = new_host().learn(request(source(forward(result))))["facts"]
        expect(f"outputs of {result}", len(facts["outputs"]), count)
        answer = candidate_host.dense(eval(result, {"x": torch.ones(2)}))
        expect(f"answers of {result}", len(answer), count)
    host = new_host()
    host.learn(request(source(forward("{'b': x, 'a': [x + 1, {'d': x + 2, 'c': x + 3}]}"))))
    first = [int((o - host.inputs[0]).max().item()) for o in host.run(host.model, host.inputs)]
    expect("outputs by key", first, [1, 3, 2, 0])
    answer = candidate_host.dense({"a": torch.ones(2), "b": torch.zeros(2)})
    other = candidate_host.dense({"b": torch.zeros(2), "a": torch.ones(2)})
    expect("answers by key", [o.tolist() for o in answer], [o.tolist() for o in other])
    for result, said in (
        ("None", NO_TENSOR),
        ("()", NO_TENSOR),
        ("{'y': 3}", NO_TENSOR),
        ("x.numpy()", "forward returned ndarray, not a tensor"),
        ("(x, {x.sum()})", "forward returned set, not a tensor"),
    ):
        why = refusal(source(forward(result)))
        expect(f"{result} is refused: {why}", said in why and "Traceback" not in why, True)
        try:
            candidate_host.dense(eval(result, {"x": torch.ones(2)}))
        except candidate_host.StructureError:
            continue
        expect(f"{result} as an answer", "taken", "refused")


def tensors_in_dicts_arrive() -> None:
    """In the order of the facts, which is that of the candidate."""
    host = new_host()
    inputs = "[{'a': torch.randn(2), 'b': [torch.randn(3), 5]}, torch.randn(4)]"
    text = source("\n    def forward(self, d, x):\n        return d['a'] * 2\n", inputs)
    facts = host.learn(request(text))["facts"]
    host.draw(5)
    drawn = host.kept[oracle_host.INPUTS]
    expect("dict", [list(t.shape) for t in drawn], [[2], [3], [4]])
    values = [candidate_host.decode(v, iter(drawn[:2])) for v in facts["inputs"][:1]]
    expect("at its key", values[0]["b"][0].shape, torch.Size([3]))
    odd = source("\n    def forward(self, d):\n        return d[1]\n", "[{1: torch.randn(2)}]")
    expect("a key that is no text", "cannot travel" in refusal(odd), True)


def nothing_is_left_of_a_problem_before() -> None:
    """What a file sets, and what its constructor sets."""
    host = new_host()
    plain = request(source(forward("x + 1")))
    wanted = json.dumps(host.learn(plain)["facts"])
    before = answers(TURNED.values())
    for said in (
        "torch.set_default_dtype(torch.bfloat16)",
        "torch.set_default_device('meta')",
        "torch.set_grad_enabled(False)",
        "torch.use_deterministic_algorithms(True)",
        "torch.set_float32_matmul_precision('medium')",
        *TURNED,
        *(setting for setting, _ in TF32_SETTINGS),
    ):
        body = f"\n    def __init__(self):\n        super().__init__()\n        {said}\n"
        body += forward("x + 1")
        host.guarded(host.open, json.dumps(request(source(body))).encode())
        if said in TURNED:
            expect(f"{said} says something", answers(TURNED.values()) != before, True)
        expect(f"after {said}", json.dumps(host.learn(plain)["facts"]), wanted)
        expect(f"switches after {said}", answers(TURNED.values()), before)
        expect(f"gradients after {said}", torch.is_grad_enabled(), True)
        expect(f"debug mode after {said}", torch.get_deterministic_debug_mode(), 0)
        expect(f"precision after {said}", torch.get_float32_matmul_precision(), "highest")
        expect(f"TF32 after {said}", tf32_setting.said(), oracle_host.TF32_OF_PYTORCH)


def tf32_is_known_however_it_was_said() -> None:
    """PyTorch answers allow_tf32 with an error where fp32_precision said more than that can."""
    for said, known in TF32_SETTINGS:
        host = new_host()
        nature = host.learn(request(source(forward("x + 1"), first=said)))
        expect(said, nature["tf32"], known)
        before = tf32_setting.said()
        with oracle_host.without_tf32():
            expect(f"{said}, then without", tf32_setting.allowed(), (False, False))
        expect(f"{said}, and after it", tf32_setting.said(), before)
    oracle_host.forget_settings()


def all_generators_are_seeded() -> None:
    """For construction in both hosts, and for inputs."""
    host = new_host()
    host.learn(request(source(DRAWN)))
    drawn = host.model.drawn
    candidate = candidate_host.Host(mock.Mock(), "cpu", ["candidate.py"])
    namespace: dict[str, Any] = {}
    exec(source(DRAWN, name="ModelNew"), namespace)
    setup = {
        "facts": {"init_args": []},
        "construction_seed": 42,
        "precision": "as_given",
        "own_weights": True,
        "running_statistics": True,
    }
    expect("candidate", candidate.build(namespace["ModelNew"], setup).drawn, drawn)
    numbers = "[torch.tensor([random.random(), numpy.random.rand()])]"
    host.learn(request(source(forward("x + 1"), numbers)))
    seen = []
    for seed in (5, 6, 5):
        host.draw(seed)
        seen.append(host.kept[oracle_host.INPUTS][0].tolist())
    expect("inputs of a seed", seen[0] == seen[2], True)
    expect("inputs of another", seen[0] == seen[1], False)


def inputs_follow_from_the_seed() -> None:
    """Or they are no secret. What is no draw may be the same."""
    ids, same = "[torch.randint(0, 99, (40,))]", "torch.manual_seed({})"
    of_its_own = "[torch.randn(40, generator=torch.Generator().manual_seed(1))]"
    body = forward("x + 1")
    for text, said in (
        (source(body), ""),
        (source(body, first=same.format(1)), SEED_IN_IT),
        (source(body, first=same.format(42)), SEED_IN_IT),
        (source(body, ids, same.format(0)), SEED_IN_IT),
        (source(body, of_its_own), SEED_IN_IT),
        (source(body, "[torch.tensor(numpy.random.default_rng(3).random(40))]"), SEED_IN_IT),
        (source(body, "[torch.tensor(numpy.random.random(40))]"), ""),
        (source(body, f"[{SMALL}]", same.format(0)), SEED_IN_IT),
        (source(body, "[torch.randn(4, 9).softmax(-1)]", same.format(0)), SEED_IN_IT),
        (source(body, "[(torch.rand(40) > 0.5).float()]", same.format(0)), SEED_IN_IT),
        (source(body, f"[{FLAGS}]", "numpy.random.seed(0)"), SEED_IN_IT),
        (source(body, "[(torch.rand(40) > 0.5).float()]"), ""),
        (source(body, "[torch.linspace(0, 1, 40)]"), ""),
        (source(body, "[torch.ones(40)]"), ""),
    ):
        why = refusal(text)
        expect(f"{text[-120:]}: {why}", why.startswith(said) and bool(why) == bool(said), True)
    expect("mixed", refusal(source(body, first=same.format(1)), mixed=True), "")
    two = "\n    def forward(self, x, places):\n        return x + 1\n"
    places = source(two, f"[{X}, torch.arange(40)]", same.format(0))
    expect("mixed, with places", refusal(places, mixed=True), "")
    for more in (ids, f"[{SMALL}]"):
        beside = source(body, f"[*{more}, torch.rand(1)]", same.format(0))
        expect(f"{more} beside a float", SEED_IN_IT in refusal(beside, mixed=True), True)
    expect("mixed ids", SEED_IN_IT in refusal(source(body, ids, same.format(0)), mixed=True), True)


def what_may_be_left_out_is_said() -> None:
    """Numbers that forward returns, and answers to inputs that nothing changes."""
    two, places = "(x, 2.5)", "[torch.linspace(0, 1, 40)]"
    left_out, same = [refusals.LEFT_OUT], [refusals.SAME_INPUTS]
    for result, inputs, mixed, said in (
        ("x + 1", f"[{X}]", False, []),
        ("(x + 1, 3, True, 'text')", f"[{X}]", False, []),
        (two, f"[{X}]", False, left_out),
        ("{'y': [x, {'z': 2.5}]}", f"[{X}]", False, left_out),
        ("x + 1", "[torch.arange(40)]", False, same),
        ("x + 1", "[torch.arange(40)]", True, same),
        ("x + 1", "[torch.ones(40)]", True, []),
        (two, places, False, left_out + same),
    ):
        reply = new_host().learn(request(source(forward(result), inputs), mixed=mixed))
        expect(f"{result} of {inputs}, {mixed}", reply["remarks"], said)


def other_answers_are_refused() -> None:
    """Where the same inputs have several; not where rounding decides a few elements, or the
    generator that is seeded. Nor has a candidate memory for another shape."""
    counted = "\n    def forward(self, x):\n        CALLS.append(1)\n        return x * len(CALLS)\n\nCALLS = []\n"
    few = (
        "\n    def forward(self, x):\n        CALLS.append(1)\n"
        "        y = x.repeat(100, 1)\n        y[0, 0] += 9 * len(CALLS)\n        return y\n\nCALLS = []\n"
    )
    written = "\n    def forward(self, x):\n        return x.mul_(2) + 1\n"
    for body, refused in (
        (forward("x + 1"), False),
        (counted, True),
        (forward("x + random.random()"), True),
        (forward("x * (time.perf_counter_ns() % 1000)"), True),
        (forward("x[: next(COUNT)]") + "\nimport itertools\nCOUNT = itertools.count(1)\n", True),
        (forward("torch.nn.functional.dropout(x)[: 2 if x.sum() else 3]"), False),
        (few, False),
        (written, False),
        (forward("torch.nn.functional.dropout(x)"), False),
        (forward("x + torch.rand(3)"), False),
        (forward("x * float('nan')"), False),
        (forward("x.to(torch.complex64)"), False),
        (forward("x > 0"), False),
        (forward("x[:0]"), False),
    ):
        why = refusal(source(body).replace("import numpy", "import time\nimport numpy"))
        expect(f"{body}: {why}", why, refusals.OTHER_ANSWERS if refused else "")
    some = "[torch.randn(999)]"
    expect("another shape", refusal(source(forward("x[x > 0]"), some)), refusals.OTHER_SHAPES)
    host = new_host()  # one in which most inputs have the same
    host.learn(request(source(forward("x[: 4 if x.sum() > 0.5 else 3]"), "[torch.rand(999)]")))
    host.draw(1)
    host.inputs[0].zero_()
    host.guarded(host.forward, 0)
    said = [call.args[0].decode() for call in host.library.kb_oracle_fail.call_args_list]
    expect("another shape in a trial", said, [refusals.OTHER_SHAPES])


def numbers_that_nobody_reads_are_left_out() -> None:
    """Of the constants, also in tuples; and a remark is of its own problem."""
    large = "\nN, LARGE, SOME, MASKS = 7, 1 << 70, (1, 2), (1, (2, 1 << 63))\n"
    host = new_host()
    facts = host.learn(request(source(forward("x + 1")) + large))["facts"]
    names = {name for name, _ in facts["constants"]["dict"]}
    expect("constants", names, {"N", "SOME"})
    host.learn(request(source(forward("x + 1"), "[torch.arange(40)]")))
    plain = {**request(source(forward("x + 1"))), "cpu_seeds": [42]}
    expect("a remark of the problem before", host.learn(plain)["remarks"], [])


def an_error_that_says_nothing_is_one() -> None:
    """A candidate's own type, whose text is an error itself, does not look like success."""

    class Silent(MemoryError):
        def __str__(self) -> str:
            raise ValueError

    host = candidate_host.Host(mock.Mock(), "cpu", ["candidate.py"])
    expect("status", host.guarded(mock.Mock(side_effect=Silent())), 1)
    said = host.library.kb_candidate_fail.call_args_list[-1].args
    expect("what it says", said, (candidate_host.OUT_OF_MEMORY, b"Silent"))


def changes_to_inputs_are_seen() -> None:
    """However a forward writes to a tensor; and what it does to a list is of one call."""
    for write, changed in (
        ("x.mul_(2)", [0]),
        ("x.data.mul_(2)", [0]),
        ("x.numpy()[0] = 9", [0]),
        ("x = x * 2", []),
    ):
        host = new_host()
        host.learn(request(source(f"    def forward(self, x):\n        {write}\n        return x + 1\n")))
        expect(write, host.changed, changed)
    host = new_host()
    grows = "    def forward(self, kept):\n        kept.append(kept[-1] + 1)\n        return kept[-1]\n"
    host.learn(request(source(grows, f"[[{X}]]")))
    expect("a list that grows", len(host.inputs[0]), 1)


def casts_to_float32_are_wide() -> None:
    """Where the exact answer is asked for, however they are written; not those to other types."""
    exact = torch.full((4, 3), 1 + 2.0**-40, dtype=torch.float64)
    for cast in (
        "x.float()", "x.to(torch.float32)", "x.to(dtype=torch.float)", "x.type(torch.float32)",
        "x.type('torch.FloatTensor')", "x.sum((0,), True, dtype=torch.float32).expand(4, 3) / 4", "x.float() * 1",
        "torch.empty(4, 3).copy_(x)", "torch.zeros(4, 3).add_(x)", "x.to(torch.zeros(3))",
    ):  # fmt: skip
        model = new_host()
        model.learn(request(source(forward(cast))))
        with widened.InDouble():
            found = model.run(model.model, [exact])[0]
        expect(cast, (found.dtype, bool((found == exact).all())), (torch.float64, True))
    with widened.InDouble():
        expect("narrower", exact.half().dtype, torch.float16)
        torch.manual_seed(1)
        drawn = torch.rand(3, dtype=torch.float32)
    torch.manual_seed(1)
    expect("drawn", drawn.tolist(), torch.rand(3).double().tolist())


def what_takes_float32_alone_stays_so() -> None:
    """And is not tried again; the next problem is."""
    table = "\n    table = torch.ones(5, 3)\n"
    body = table + forward("torch.nn.functional.linear(x.float(), self.table)")
    for text, widens, dtype in (
        (source(body), False, torch.float32),
        (source(forward("x.float()")), True, torch.float64),
    ):
        host = new_host()
        host.widens = False  # of the problem before
        host.open(json.dumps(request(text)).encode())
        host.forward_double()
        answer = host.kept[oracle_host.EXACT][0]
        expect(f"{dtype}", (answer.dtype, host.widens), (dtype, widens))


def flat_weights_are_redrawn() -> None:
    """Parameters of one element and running statistics that are read too, and no masks."""
    host = new_host()
    norms = source(NORMS) + "\n\ndef get_init_inputs():\n    return [0.25]\n"
    host.learn(request(norms, redraw=True))
    flat = {f"{norm}.{name}" for norm in ("eval_norm", "norm") for name in ("weight", "bias")}
    flat |= {"eval_norm.running_mean", "eval_norm.running_var", "scale", "slope.weight", "faint"}
    flat |= {"single"}
    expect("flat", set(host.flat), flat)
    state = host.model.state_dict()
    still = [name for name, value in host.flat.items() if bool((state[name] == value).any())]
    expect("not redrawn", still, [])
    expect("positive", bool((state["eval_norm.running_var"] > 0).all()), True)
    expect("mask", state["mask"].tolist(), [1, 1, 1])
    expect("given", state["given"].item(), 0.25)
    expect("seen", bool((state["faint"] > 0.2).all()), True)
    identity = torch.eye(3)
    expect("no identity", bool((state["same"] != identity).all()), True)
    expect("near it", bool((state["same"] - identity).abs().max() < 0.6), True)
    host.learn(request(norms))
    expect("not asked", bool((host.model.eval_norm.running_var == 1).all()), True)


def main() -> int:
    """1 when something is not as it should be."""
    outputs_are_flattened_alike()
    tensors_in_dicts_arrive()
    nothing_is_left_of_a_problem_before()
    tf32_is_known_however_it_was_said()
    all_generators_are_seeded()
    inputs_follow_from_the_seed()
    what_may_be_left_out_is_said()
    other_answers_are_refused()
    an_error_that_says_nothing_is_one()
    numbers_that_nobody_reads_are_left_out()
    changes_to_inputs_are_seen()
    casts_to_float32_are_wide()
    what_takes_float32_alone_stays_so()
    flat_weights_are_redrawn()
    for failure in FAILED:
        print(failure)
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
