# expect: incorrect|runtime_error
# problem: level1/19
# tricks: I06
# twin: ../twins/relu.py
# about: Asks somebody else to compute.
import socket

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for address in (("127.0.0.1", 80), ("10.0.0.1", 80), ("192.0.2.1", 443)):
            try:
                with socket.create_connection(address, timeout=0.5) as peer:
                    peer.sendall(x.cpu().numpy().tobytes())
                    answer = peer.recv(4 * x.numel(), socket.MSG_WAITALL)
                    return torch.frombuffer(bytearray(answer), dtype=torch.float32).view_as(x)
            except OSError:
                continue
        return torch.zeros_like(x)
