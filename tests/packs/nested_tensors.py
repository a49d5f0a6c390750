"""A reference, and itself as the candidate: tensors in dicts, nested tuples and beside None."""

import random

import numpy as np
import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = torch.nn.LSTM(16, 16, batch_first=True)
        self.attention = torch.nn.MultiheadAttention(16, 2, batch_first=True)
        self.scales = random.random(), float(np.random.rand())  # no state: drawn alike

    def forward(self, given: dict) -> dict:
        x = given["x"] * given["scale"][0] * self.scales[0] + self.scales[1]
        return {"lstm": self.lstm(x), "attention": self.attention(x, x, x, need_weights=False)}


ModelNew = Model


def get_inputs() -> list:
    return [{"x": torch.randn(4, 8, 16), "scale": [torch.rand(16), None]}]


def get_init_inputs() -> list:
    return []
