from typing import Any

import torch
import torch.nn as nn

try:
    from transformers import OPTConfig, OPTForCausalLM
except ImportError as error:
    raise ImportError("this problem needs: pip install 'transformers>=4.45'") from error


class Model(nn.Module):
    """Language model of the OPT 1.3B architecture, with random weights.

    Causal; learned positions, normalisation in front of every block, ReLU. x has
    shape (batch_size, sequence_length), type int64 and values in [0, vocab_size); the
    result holds one logit per token of the vocabulary, (batch_size, sequence_length,
    vocab_size). The model is in evaluation mode (no dropout) and its output matrix is
    the embedding. config: keyword arguments of transformers.OPTConfig. model_name is
    kept for information only.
    """

    def __init__(self, model_name: str, config: dict[str, Any]) -> None:
        super().__init__()
        self.model_name = model_name
        self.config = config
        self.model = OPTForCausalLM(OPTConfig(**config))
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


model_name = "facebook/opt-1.3b"
vocab_size = 50272
max_position_embeddings = 2048
hidden_size = 2048
num_layers = 24
num_heads = 32
intermediate_size = 8192
initializer_range = 0.02
config = {
    "vocab_size": vocab_size,
    "max_position_embeddings": max_position_embeddings,
    "hidden_size": hidden_size,
    "word_embed_proj_dim": hidden_size,
    "num_hidden_layers": num_layers,
    "num_attention_heads": num_heads,
    "ffn_dim": intermediate_size,
    "do_layer_norm_before": True,
    "activation_function": "relu",
    "dropout": 0.1,
    "attention_dropout": 0.0,
    "layerdrop": 0.0,
    "init_std": initializer_range,
    "use_cache": True,
    "pad_token_id": 1,
    "bos_token_id": 2,
    "eos_token_id": 2,
}
sequence_length = 32
batch_size = 512


def get_inputs() -> list[torch.Tensor]:
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs() -> list:
    return [model_name, config]
