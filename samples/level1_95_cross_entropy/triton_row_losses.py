# expect: correct
# problem: level1/95
# about: Triton computes the loss of each row, PyTorch takes the mean.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_loss_kernel(
    scores_ptr,
    targets_ptr,
    loss_ptr,
    rows,
    classes,
    ROWS: tl.constexpr,
    CLASSES: tl.constexpr,
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    exists = row < rows
    line_ptr = scores_ptr + row.to(tl.int64) * classes
    columns = tl.arange(0, CLASSES)
    inside = exists[:, None] & (columns < classes)[None, :]
    scores = tl.load(line_ptr[:, None] + columns[None, :], mask=inside, other=-1e38)
    highest = tl.max(scores, axis=1)
    total = tl.sum(tl.exp(scores - highest[:, None]), axis=1)
    target = tl.load(targets_ptr + row, mask=exists, other=0)
    chosen = tl.load(line_ptr + target, mask=exists, other=0.0)
    tl.store(loss_ptr + row, highest + tl.log(total) - chosen, mask=exists)


class ModelNew(nn.Module):
    def forward(
        self, predictions: torch.Tensor, targets: torch.Tensor
    ) -> torch.Tensor:
        predictions = predictions.contiguous()
        rows, classes = predictions.shape
        losses = torch.empty(rows, device=predictions.device)
        # A GPU wants one row per program, the interpreter few programs.
        height = 1 if predictions.is_cuda else 64
        row_loss_kernel[(triton.cdiv(rows, height),)](
            predictions,
            targets,
            losses,
            rows,
            classes,
            ROWS=height,
            CLASSES=triton.next_power_of_2(classes),
            num_warps=8,
        )
        return losses.mean()
