from typing import Any

import torch
import torch.nn as nn

try:
    from transformers import GPT2Config, GPT2LMHeadModel
except ImportError as error:
    raise ImportError("this problem needs: pip install 'transformers>=4.45'") from error


class Model(nn.Module):
    """Language model of the GPT-2 (small) architecture, with random weights.

    Causal; learned positions, normalisation in front of every block. x has shape
    (batch_size, sequence_length), type int64 and values in [0, vocab_size); the result
    holds one logit per token of the vocabulary, (batch_size, sequence_length,
    vocab_size). The model is in evaluation mode (no dropout) and its output matrix is
    the embedding. config: keyword arguments of transformers.GPT2Config. model_name is
    kept for information only.
    """

    def __init__(self, model_name: str, config: dict[str, Any]) -> None:
        super().__init__()
        self.model_name = model_name
        self.config = config
        self.model = GPT2LMHeadModel(GPT2Config(**config))
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


model_name = "gpt2"
vocab_size = 50257
max_position_embeddings = 1024
hidden_size = 768
num_layers = 12
num_heads = 12
initializer_range = 0.02
config = {
    "vocab_size": vocab_size,
    "n_positions": max_position_embeddings,
    "n_embd": hidden_size,
    "n_layer": num_layers,
    "n_head": num_heads,
    "n_inner": None,
    "activation_function": "gelu_new",
    "resid_pdrop": 0.1,
    "embd_pdrop": 0.1,
    "attn_pdrop": 0.1,
    "layer_norm_epsilon": 1e-5,
    "initializer_range": initializer_range,
    "scale_attn_weights": True,
    "use_cache": True,
    "bos_token_id": vocab_size - 1,
    "eos_token_id": vocab_size - 1,
}
sequence_length = 32
batch_size = 1024


def get_inputs() -> list[torch.Tensor]:
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs() -> list:
    return [model_name, config]
