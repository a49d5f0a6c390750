from collections.abc import Callable, Iterable, Sequence
from itertools import repeat

import torch
import torch.nn as nn
import torch.nn.functional as F


def _ntuple(n: int) -> Callable[[object], tuple]:
    """Returns a function that makes a tuple of an iterable, or n copies of anything else."""

    def to_tuple(value: object) -> tuple:
        if isinstance(value, Iterable) and not isinstance(value, str):
            return tuple(value)
        return tuple(repeat(value, n))

    return to_tuple


def window_partition(x: torch.Tensor, size: int) -> torch.Tensor:
    """Cuts (batch, height, width, channels) into (windows, size * size, channels)."""
    batch, height, width, channels = x.shape
    x = x.view(batch, height // size, size, width // size, size, channels)
    return x.transpose(2, 3).reshape(-1, size * size, channels)


def window_reverse(windows: torch.Tensor, size: int, height: int, width: int) -> torch.Tensor:
    """Puts the windows of window_partition back together."""
    channels = windows.shape[-1]
    x = windows.view(-1, height // size, width // size, size, size, channels)
    return x.transpose(2, 3).reshape(-1, height, width, channels)


class Mlp(nn.Module):
    """Linear layer, GELU, linear layer."""

    def __init__(self, features: int, hidden_features: int, drop: float) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features, hidden_features)
        self.act = nn.GELU()
        self.fc2 = nn.Linear(hidden_features, features)
        self.drop = nn.Dropout(drop)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.drop(self.act(self.fc1(x)))
        return self.drop(self.fc2(x))


class SwinMLPBlock(nn.Module):
    """Mixes the tokens of each window per head, then the channels of each token.

    Where shift_size is not zero, the windows are displaced by padding with zeros.
    """

    def __init__(
        self,
        dim: int,
        input_resolution: tuple[int, int],
        num_heads: int,
        window_size: int,
        shift_size: int,
        mlp_ratio: float,
        drop: float,
        norm_layer: Callable[[int], nn.Module],
    ) -> None:
        super().__init__()
        if min(input_resolution) <= window_size:
            shift_size = 0
            window_size = min(input_resolution)
        self.input_resolution = input_resolution
        self.num_heads = num_heads
        self.window_size = window_size
        self.shift_size = shift_size

        self.norm1 = norm_layer(dim)
        tokens = num_heads * window_size**2
        self.spatial_mlp = nn.Conv1d(tokens, tokens, kernel_size=1, groups=num_heads)
        self.norm2 = norm_layer(dim)
        self.mlp = Mlp(dim, int(dim * mlp_ratio), drop)

    def _mix_tokens(self, x: torch.Tensor) -> torch.Tensor:
        size, heads = self.window_size, self.num_heads
        height, width, channels = x.shape[1:]
        windows = window_partition(x, size)
        # (windows, size * size, channels) -> (windows, heads * size * size, channels / heads)
        windows = windows.view(-1, size * size, heads, channels // heads).transpose(1, 2)
        windows = self.spatial_mlp(windows.reshape(-1, heads * size * size, channels // heads))
        windows = windows.view(-1, heads, size * size, channels // heads).transpose(1, 2)
        return window_reverse(
            windows.reshape(-1, size * size, channels), size, height, width
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        height, width = self.input_resolution
        batch, tokens, channels = x.shape
        mixed = self.norm1(x).view(batch, height, width, channels)
        if self.shift_size > 0:
            before, after = self.window_size - self.shift_size, self.shift_size
            mixed = F.pad(mixed, (0, 0, before, after, before, after))
            mixed = self._mix_tokens(mixed)[:, before:-after, before:-after]
        else:
            mixed = self._mix_tokens(mixed)
        x = x + mixed.reshape(batch, tokens, channels)
        return x + self.mlp(self.norm2(x))


class PatchMerging(nn.Module):
    """Joins 2x2 neighbouring tokens and halves their joint width; normalisation comes first."""

    def __init__(
        self, input_resolution: tuple[int, int], dim: int, norm_layer: Callable[[int], nn.Module]
    ) -> None:
        super().__init__()
        self.input_resolution = input_resolution
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(4 * dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        height, width = self.input_resolution
        assert height % 2 == 0 and width % 2 == 0, "height and width must be even"
        batch, _, channels = x.shape
        x = x.view(batch, height, width, channels)
        corners = [x[:, i::2, j::2] for j in (0, 1) for i in (0, 1)]
        x = torch.cat(corners, dim=-1).view(batch, -1, 4 * channels)
        return self.reduction(self.norm(x))


class BasicLayer(nn.Module):
    """A stage: blocks with and without displacement in turn, then an optional merging."""

    def __init__(
        self,
        dim: int,
        input_resolution: tuple[int, int],
        depth: int,
        num_heads: int,
        window_size: int,
        mlp_ratio: float,
        drop: float,
        norm_layer: Callable[[int], nn.Module],
        downsample: bool,
    ) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            SwinMLPBlock(
                dim,
                input_resolution,
                num_heads,
                window_size,
                shift_size=window_size // 2 if i % 2 else 0,
                mlp_ratio=mlp_ratio,
                drop=drop,
                norm_layer=norm_layer,
            )
            for i in range(depth)
        )
        self.downsample = PatchMerging(input_resolution, dim, norm_layer) if downsample else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x)
        return x if self.downsample is None else self.downsample(x)


class PatchEmbed(nn.Module):
    """Embeds square pieces of the image with a strided convolution, row by row."""

    def __init__(
        self,
        img_size: int | Sequence[int],
        patch_size: int | Sequence[int],
        in_chans: int,
        embed_dim: int,
        norm_layer: Callable[[int], nn.Module] | None,
    ) -> None:
        super().__init__()
        self.img_size = to_2tuple(img_size)
        self.patch_size = to_2tuple(patch_size)
        self.patches_resolution = tuple(
            image // patch for image, patch in zip(self.img_size, self.patch_size)
        )
        self.proj = nn.Conv2d(
            in_chans, embed_dim, kernel_size=self.patch_size, stride=self.patch_size
        )
        self.norm = None if norm_layer is None else norm_layer(embed_dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert tuple(x.shape[2:]) == self.img_size, "the image has not the size of the model"
        x = self.proj(x).flatten(2).transpose(1, 2)
        return x if self.norm is None else self.norm(x)


class Model(nn.Module):
    """Swin MLP: a hierarchy of windowed token-mixing layers without attention.

    Patch embedding, four stages (each but the last halves the resolution and
    doubles the channels), normalisation, mean over the tokens, linear layer.
    drop_path_rate and use_checkpoint have no effect, nor have further keyword
    arguments. x has shape (batch_size, in_chans, img_size, img_size), the result
    (batch_size, num_classes).
    """

    def __init__(
        self,
        img_size: int | Sequence[int] = 224,
        patch_size: int | Sequence[int] = 4,
        in_chans: int = 3,
        num_classes: int = 1000,
        embed_dim: int = 96,
        depths: Sequence[int] = (2, 2, 6, 2),
        num_heads: Sequence[int] = (3, 6, 12, 24),
        window_size: int = 7,
        mlp_ratio: float = 4.0,
        drop_rate: float = 0.0,
        drop_path_rate: float = 0.1,
        norm_layer: Callable[[int], nn.Module] = nn.LayerNorm,
        patch_norm: bool = True,
        use_checkpoint: bool = False,
        **kwargs: object,
    ) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.num_layers = len(depths)
        self.embed_dim = embed_dim
        self.num_features = embed_dim * 2 ** (self.num_layers - 1)

        self.patch_embed = PatchEmbed(
            img_size, patch_size, in_chans, embed_dim, norm_layer if patch_norm else None
        )
        self.pos_drop = nn.Dropout(drop_rate)
        rows, columns = self.patch_embed.patches_resolution
        self.layers = nn.ModuleList(
            BasicLayer(
                embed_dim * 2**i,
                (rows // 2**i, columns // 2**i),
                depths[i],
                num_heads[i],
                window_size,
                mlp_ratio,
                drop_rate,
                norm_layer,
                downsample=i < self.num_layers - 1,
            )
            for i in range(self.num_layers)
        )
        self.norm = norm_layer(self.num_features)
        self.avgpool = nn.AdaptiveAvgPool1d(1)
        self.head = nn.Linear(self.num_features, num_classes) if num_classes else nn.Identity()

    def forward_features(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pos_drop(self.patch_embed(x))
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        return torch.flatten(self.avgpool(x.transpose(1, 2)), 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.forward_features(x))


to_2tuple = _ntuple(2)
batch_size = 10
image_size = 224


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, 3, image_size, image_size)]


def get_init_inputs() -> list:
    return []
