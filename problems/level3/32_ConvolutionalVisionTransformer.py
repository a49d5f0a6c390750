import torch
import torch.nn as nn


class Model(nn.Module):
    """Transformer encoder over a class token and one token for the whole image.

    A strided convolution embeds the patches, but a linear layer then merges all of
    them into a single token, so that the sequence has length 2. The class token
    starts as zeros; the head reads it after num_layers encoder layers. x has shape
    (batch_size, in_channels, image_size, image_size), the result
    (batch_size, num_classes).
    """

    def __init__(
        self,
        num_classes: int,
        embed_dim: int = 512,
        num_heads: int = 8,
        num_layers: int = 6,
        mlp_ratio: float = 4.0,
        patch_size: int = 4,
        in_channels: int = 3,
        image_size: int = 32,
    ) -> None:
        super().__init__()
        self.patch_size = patch_size
        self.image_size = image_size
        self.embed_dim = embed_dim

        self.conv1 = nn.Conv2d(in_channels, embed_dim, kernel_size=patch_size, stride=patch_size)
        num_patches = (image_size // patch_size) ** 2
        self.linear_proj = nn.Linear(embed_dim * num_patches, embed_dim)
        self.transformer_layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                d_model=embed_dim,
                nhead=num_heads,
                dim_feedforward=int(embed_dim * mlp_ratio),
                dropout=0.0,
                batch_first=True,
            )
            for _ in range(num_layers)
        )
        self.cls_token = nn.Parameter(torch.zeros(1, 1, embed_dim))
        self.fc_out = nn.Linear(embed_dim, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        image_token = self.linear_proj(self.conv1(x).flatten(1))
        cls_tokens = self.cls_token.expand(x.shape[0], -1, -1)
        tokens = torch.cat([cls_tokens, image_token.unsqueeze(1)], dim=1)
        for layer in self.transformer_layers:
            tokens = layer(tokens)
        return self.fc_out(tokens[:, 0])


batch_size = 10
image_size = 32
embed_dim = 128
in_channels = 3
num_heads = 4
num_classes = 1000


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, in_channels, image_size, image_size)]


def get_init_inputs() -> list:
    return [num_classes, embed_dim, num_heads]
