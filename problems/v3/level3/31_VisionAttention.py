import torch
import torch.nn as nn


class Model(nn.Module):
    """Self-attention between all pixels of an image, residual, layer normalisation.

    x has shape (batch_size, num_channels, image_height, image_width) and so has
    the result. Every pixel is a token of num_channels = embed_dim features:
    y = LayerNorm(attention(tokens) + tokens), without a mask. The attention layer
    also computes its averaged weights (tokens x tokens), which are not used.
    """

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.attn = nn.MultiheadAttention(embed_dim, num_heads)
        self.norm = nn.LayerNorm(embed_dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, channels, height, width = x.shape
        # (batch, channels, height, width) -> (tokens, batch, channels)
        tokens = x.view(batch, channels, height * width).permute(2, 0, 1)
        attended, _ = self.attn(tokens, tokens, tokens)
        y = self.norm(attended + tokens)
        return y.permute(1, 2, 0).view(batch, channels, height, width)


OP_TYPE = "attention"
SUPPORTED_PRECISIONS = ["fp8", "fp16", "bf16", "fp32"]
HARDWARE_REQUIRED = ["RTX3090", "H100", "B200"]
embed_dim = 128
num_heads = 4
batch_size = 2
num_channels = embed_dim
image_height = 128
image_width = 128


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(batch_size, num_channels, image_height, image_width)]


def get_init_inputs() -> list:
    return [embed_dim, num_heads]
