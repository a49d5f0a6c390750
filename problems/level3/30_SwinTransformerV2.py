import math
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


def relative_coords_table(size: tuple[int, int], pretrained: tuple[int, int]) -> torch.Tensor:
    """Log-spaced offsets between two tokens of a window: (1, 2 * h - 1, 2 * w - 1, 2)."""
    extent = pretrained if pretrained[0] > 0 else size
    axes = [
        torch.arange(1 - n, n, dtype=torch.float32) / (full - 1) * 8
        for n, full in zip(size, extent)
    ]
    table = torch.stack(torch.meshgrid(*axes, indexing="ij"), dim=-1).unsqueeze(0)
    return torch.sign(table) * torch.log2(table.abs() + 1.0) / math.log2(8)


def relative_position_index(size: tuple[int, int]) -> torch.Tensor:
    """Row of the flattened table of offsets for every pair of tokens of a window (int64)."""
    rows, columns = torch.meshgrid(torch.arange(size[0]), torch.arange(size[1]), indexing="ij")
    rows, columns = rows.flatten(), columns.flatten()
    row_offset = rows[:, None] - rows[None, :] + size[0] - 1
    column_offset = columns[:, None] - columns[None, :] + size[1] - 1
    return row_offset * (2 * size[1] - 1) + column_offset


def shifted_window_mask(
    resolution: tuple[int, int], window_size: int, shift_size: int
) -> torch.Tensor:
    """Mask for windows of a rolled image: -100 between tokens that were not neighbours.

    The result has shape (windows, window_size ** 2, window_size ** 2).
    """
    slices = (
        slice(0, -window_size),
        slice(-window_size, -shift_size),
        slice(-shift_size, None),
    )
    region = torch.zeros(1, *resolution, 1)
    for i, rows in enumerate(slices):
        for j, columns in enumerate(slices):
            region[:, rows, columns] = len(slices) * i + j
    region = window_partition(region, window_size).squeeze(-1)
    difference = region.unsqueeze(1) - region.unsqueeze(2)
    return torch.zeros_like(difference).masked_fill(difference != 0, -100.0)


class WindowAttention(nn.Module):
    """Multi-head cosine attention within windows, with a bias from relative positions.

    The bias comes from a small MLP over log-spaced offsets. x has shape
    (windows of all images, tokens, channels), mask (windows per image, tokens, tokens).
    """

    def __init__(
        self,
        dim: int,
        window_size: tuple[int, int],
        num_heads: int,
        qkv_bias: bool,
        attn_drop: float,
        proj_drop: float,
        pretrained_window_size: tuple[int, int],
    ) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.logit_scale = nn.Parameter(torch.log(10 * torch.ones(num_heads, 1, 1)))
        self.cpb_mlp = nn.Sequential(
            nn.Linear(2, 512),
            nn.ReLU(inplace=True),
            nn.Linear(512, num_heads, bias=False),
        )
        table = relative_coords_table(window_size, pretrained_window_size)
        self.register_buffer("relative_coords_table", table)
        self.register_buffer("relative_position_index", relative_position_index(window_size))
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.q_bias = nn.Parameter(torch.zeros(dim)) if qkv_bias else None
        self.v_bias = nn.Parameter(torch.zeros(dim)) if qkv_bias else None
        self.attn_drop = nn.Dropout(attn_drop)
        self.proj = nn.Linear(dim, dim)
        self.proj_drop = nn.Dropout(proj_drop)
        self.softmax = nn.Softmax(dim=-1)

    def _position_bias(self, tokens: int) -> torch.Tensor:
        table = self.cpb_mlp(self.relative_coords_table).view(-1, self.num_heads)
        bias = table[self.relative_position_index.flatten()].view(tokens, tokens, -1)
        return 16 * torch.sigmoid(bias.permute(2, 0, 1).contiguous())

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        windows, tokens, channels = x.shape
        bias = None
        if self.q_bias is not None:
            bias = torch.cat([self.q_bias, torch.zeros_like(self.q_bias), self.v_bias])
        qkv = F.linear(x, self.qkv.weight, bias)
        qkv = qkv.view(windows, tokens, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)

        scores = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
        scores = scores * torch.clamp(self.logit_scale, max=math.log(100.0)).exp()
        scores = scores + self._position_bias(tokens)
        if mask is not None:
            scores = scores.view(-1, mask.shape[0], self.num_heads, tokens, tokens)
            scores = scores + mask.unsqueeze(1)
            scores = scores.view(-1, self.num_heads, tokens, tokens)
        weights = self.attn_drop(self.softmax(scores))

        y = (weights @ v).transpose(1, 2).reshape(windows, tokens, channels)
        return self.proj_drop(self.proj(y))


class SwinTransformerBlock(nn.Module):
    """Window attention and MLP, each normalised at its end and added to its input.

    Where shift_size is not zero, the image is rolled before it is cut into windows.
    """

    def __init__(
        self,
        dim: int,
        input_resolution: tuple[int, int],
        num_heads: int,
        window_size: int,
        shift_size: int,
        mlp_ratio: float,
        qkv_bias: bool,
        drop: float,
        attn_drop: float,
        norm_layer: Callable[[int], nn.Module],
        pretrained_window_size: int,
    ) -> None:
        super().__init__()
        if min(input_resolution) <= window_size:
            shift_size = 0
            window_size = min(input_resolution)
        self.input_resolution = input_resolution
        self.window_size = window_size
        self.shift_size = shift_size

        self.norm1 = norm_layer(dim)
        self.attn = WindowAttention(
            dim,
            to_2tuple(window_size),
            num_heads,
            qkv_bias,
            attn_drop,
            drop,
            to_2tuple(pretrained_window_size),
        )
        self.norm2 = norm_layer(dim)
        self.mlp = Mlp(dim, int(dim * mlp_ratio), drop)
        mask = None
        if shift_size > 0:
            mask = shifted_window_mask(input_resolution, window_size, shift_size)
        self.register_buffer("attn_mask", mask)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        height, width = self.input_resolution
        batch, tokens, channels = x.shape
        shift = self.shift_size
        y = x.view(batch, height, width, channels)
        if shift > 0:
            y = torch.roll(y, shifts=(-shift, -shift), dims=(1, 2))
        y = self.attn(window_partition(y, self.window_size), self.attn_mask)
        y = window_reverse(y, self.window_size, height, width)
        if shift > 0:
            y = torch.roll(y, shifts=(shift, shift), dims=(1, 2))
        x = x + self.norm1(y.view(batch, tokens, channels))
        return x + self.norm2(self.mlp(x))


class PatchMerging(nn.Module):
    """Joins 2x2 neighbouring tokens and halves their joint width; normalisation comes last."""

    def __init__(
        self, input_resolution: tuple[int, int], dim: int, norm_layer: Callable[[int], nn.Module]
    ) -> None:
        super().__init__()
        self.input_resolution = input_resolution
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(2 * dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        height, width = self.input_resolution
        assert height % 2 == 0 and width % 2 == 0, "height and width must be even"
        batch, _, channels = x.shape
        x = x.view(batch, height, width, channels)
        corners = [x[:, i::2, j::2] for j in (0, 1) for i in (0, 1)]
        x = torch.cat(corners, dim=-1).view(batch, -1, 4 * channels)
        return self.norm(self.reduction(x))


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
        qkv_bias: bool,
        drop: float,
        attn_drop: float,
        norm_layer: Callable[[int], nn.Module],
        downsample: bool,
        pretrained_window_size: int,
    ) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            SwinTransformerBlock(
                dim,
                input_resolution,
                num_heads,
                window_size,
                shift_size=window_size // 2 if i % 2 else 0,
                mlp_ratio=mlp_ratio,
                qkv_bias=qkv_bias,
                drop=drop,
                attn_drop=attn_drop,
                norm_layer=norm_layer,
                pretrained_window_size=pretrained_window_size,
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
    """Swin Transformer V2: windowed cosine attention with post-normalisation.

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
        qkv_bias: bool = True,
        drop_rate: float = 0.0,
        attn_drop_rate: float = 0.0,
        drop_path_rate: float = 0.1,
        norm_layer: Callable[[int], nn.Module] = nn.LayerNorm,
        patch_norm: bool = True,
        use_checkpoint: bool = False,
        pretrained_window_sizes: Sequence[int] = (0, 0, 0, 0),
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
                qkv_bias,
                drop_rate,
                attn_drop_rate,
                norm_layer,
                downsample=i < self.num_layers - 1,
                pretrained_window_size=pretrained_window_sizes[i],
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
