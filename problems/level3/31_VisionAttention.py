import torch
import torch.nn as nn


class Model(nn.Module):
    """Self-attention over all pixels of an image: y = norm(attn(x) + x).

    Every pixel is a token of embed_dim channels. The attention is called in the form
    that also returns its averaged weights, which are dropped. x and the result have
    shape (batch_size, embed_dim, height, width).
    """

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.attn = nn.MultiheadAttention(embed_dim, num_heads)
        self.norm = nn.LayerNorm(embed_dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shape = x.shape
        # (batch, channels, height, width) -> (height * width, batch, channels)
        tokens = x.flatten(2).permute(2, 0, 1)
        attended, _ = self.attn(tokens, tokens, tokens)
        tokens = self.norm(attended + tokens)
        return tokens.permute(1, 2, 0).view(shape)


embed_dim = 128
num_heads = 4
batch_size = 2
num_channels = embed_dim
image_height = 128
image_width = 128


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, num_channels, image_height, image_width)]


def get_init_inputs() -> list:
    return [embed_dim, num_heads]
