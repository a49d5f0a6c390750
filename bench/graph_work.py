"""What a graph of PyTorch leaves out of a forward: operations whose results nobody needs;
and how many there are. Shapes are enough for that; on the device "meta" nothing is computed."""

from pathlib import Path
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

# Of what a view is, under another name: no memory is read or written.
MOVES_NOTHING = "aten._unsafe_view.default", "aten.detach.default"


def moved(operation: Any, values: Any) -> int:
    """Bytes of all tensors that an operation takes and returns; 0 of a view."""
    if not isinstance(operation, torch._ops.OpOverload) or operation.is_view:
        return 0
    if str(operation) in MOVES_NOTHING:
        return 0
    return sum(t.numel() * t.element_size() for t in tree_leaves(values) if isinstance(t, torch.Tensor))


class Moving(TorchDispatchMode):
    """Counts eager mode's operations, and adds up what they move."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = self.operations = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        by_it = moved(func, (args, kwargs, out))
        self.bytes += by_it
        self.operations += by_it > 0
        return out


def of_graph(graph: torch.fx.Graph) -> int:
    """What its operations move."""

    def values(node: torch.fx.Node) -> Any:
        nodes = [n for n in tree_leaves((node.args, node.kwargs)) if isinstance(n, torch.fx.Node)]
        return [n.meta.get("val") for n in [*nodes, node]]

    return sum(moved(node.target, values(node)) for node in graph.nodes)


def on_meta(path: Path) -> tuple[torch.nn.Module, list[Any]]:
    """A problem's model and what it is called with. Nothing is allocated."""
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), path, "exec"), names)
    with torch.device("meta"):
        inputs = names["get_inputs"]()
        return names["Model"](*names.get("get_init_inputs", list)()), inputs


def eager_moves(model: torch.nn.Module, inputs: list[Any]) -> Moving | None:
    """What eager mode's forward moves; None where shapes follow from values."""
    with torch.no_grad(), Moving() as eager:
        try:
            model(*inputs)
        except NotImplementedError:
            return None
    return eager


def operations(path: Path) -> int:
    """How many operations of eager mode move anything; 0 where shapes follow from values."""
    eager = eager_moves(*on_meta(path))
    return eager.operations if eager else 0


def kept_share(path: Path) -> float:
    """Bytes that the operations of PyTorch's graph of the problem's forward move, over those
    of eager mode; 1 where that is not one graph, or where shapes follow from values."""
    model, inputs = on_meta(path)
    graphs: list[int] = []

    def compiled(module: torch.fx.GraphModule, _: Any) -> Any:
        graphs.append(of_graph(module.graph))
        return module.forward

    eager = eager_moves(model, inputs)
    if eager is None:
        return 1.0
    with torch.no_grad():
        torch.compiler.reset()
        torch.compile(model, backend=aot_autograd(fw_compiler=compiled, bw_compiler=compiled))(*inputs)
    return graphs[0] / eager.bytes if len(graphs) == 1 else 1.0
