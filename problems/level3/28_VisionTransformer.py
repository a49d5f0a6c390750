import torch
import torch.nn as nn


class Model(nn.Module):
    """Vision transformer whose encoder attends across the batch instead of the tokens.

    Pieces of the image are embedded, prefixed by a class token and given positions;
    the head reads the class token. As the encoder takes the first axis, which is the
    batch, for the sequence, the class token never meets a piece of the image and the
    result does not depend on img. img has shape
    (batch_size, channels, image_size, image_size), the result (batch_size, num_classes).
    """

    def __init__(
        self,
        image_size: int,
        patch_size: int,
        num_classes: int,
        dim: int,
        depth: int,
        heads: int,
        mlp_dim: int,
        channels: int = 3,
        dropout: float = 0.1,
        emb_dropout: float = 0.1,
    ) -> None:
        super().__init__()
        assert image_size % patch_size == 0, "image_size must be a multiple of patch_size"
        num_patches = (image_size // patch_size) ** 2

        self.patch_size = patch_size
        self.pos_embedding = nn.Parameter(torch.randn(1, num_patches + 1, dim))
        self.patch_to_embedding = nn.Linear(channels * patch_size**2, dim)
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.dropout = nn.Dropout(emb_dropout)
        self.transformer = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(
                d_model=dim, nhead=heads, dim_feedforward=mlp_dim, dropout=dropout
            ),
            num_layers=depth,
            enable_nested_tensor=False,
        )
        self.to_cls_token = nn.Identity()
        self.mlp_head = nn.Sequential(
            nn.Linear(dim, mlp_dim),
            nn.GELU(),
            nn.Dropout(dropout),
            nn.Linear(mlp_dim, num_classes),
        )

    def forward(self, img: torch.Tensor) -> torch.Tensor:
        batch, channels = img.shape[:2]
        p = self.patch_size
        # Axes (batch, channels, rows, columns, p, p) merged as they are: each token is
        # made of `channels` neighbouring p x p pieces of one channel.
        patches = img.unfold(2, p, p).unfold(3, p, p).reshape(batch, -1, p * p * channels)
        tokens = self.patch_to_embedding(patches)
        tokens = torch.cat([self.cls_token.expand(batch, -1, -1), tokens], dim=1)
        tokens += self.pos_embedding
        tokens = self.transformer(self.dropout(tokens))
        return self.mlp_head(self.to_cls_token(tokens[:, 0]))


image_size = 224
patch_size = 16
num_classes = 10
dim = 512
depth = 6
heads = 8
mlp_dim = 2048
channels = 3
dropout = 0.0
emb_dropout = 0.0


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(2, channels, image_size, image_size)]


def get_init_inputs() -> list:
    return [
        image_size,
        patch_size,
        num_classes,
        dim,
        depth,
        heads,
        mlp_dim,
        channels,
        dropout,
        emb_dropout,
    ]
