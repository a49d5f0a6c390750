"""What people are told of problems that are refused, and of those that are judged with a remark
(docs/problems.md)."""

OTHER_NUMBERS = (
    "get_inputs makes other numbers in another call (arguments that are no tensors), and a "
    "candidate is told them once: make them tensors, or the same each time"
)
LEFT_OUT = (
    "forward returns numbers beside tensors, which nobody compares: whoever leaves out what makes "
    "them is right as well; return them as tensors"
)
SAME_INPUTS = (
    "all inputs are the same in every call, so that whoever keeps an answer is right as well"
)
REMEMBERS = (
    "the reference remembers earlier calls: forward changes {names}, and then gives other outputs "
    "for the same inputs, so that no answer is right; pass the state as an input or set it anew in "
    "forward"
)
OTHER_SHAPES = (
    "the shape of the reference's answer depends on the values of its inputs, but a candidate is "
    "given memory of one shape: return the largest shape, and how much of it counts as a tensor"
)
OTHER_ANSWERS = (
    "the reference gives other outputs for the same inputs, so that no answer is right: something "
    "decides that is neither an input nor PyTorch's generator (a global variable, a clock, another "
    "generator)"
)
CONSTANT_INPUTS = (
    "get_inputs makes the same inputs whatever seed is set before it is called, so that a "
    "candidate may keep its first answer; take the seed (torch.manual_seed, a torch.Generator or "
    "NumPy's with a seed of its own) out of get_inputs"
)
