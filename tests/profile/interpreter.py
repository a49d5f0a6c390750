# profile: limiter=host
# Counts in Python for most of its time.
import torch


class ModelNew(torch.nn.Module):
    def forward(self, x):
        total = 0
        for i in range(300_000):
            total += i & 3
        return torch.relu(x) if total else x
