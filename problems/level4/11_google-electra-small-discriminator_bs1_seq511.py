from typing import Any

import torch
import torch.nn as nn

try:
    from transformers import ElectraConfig, ElectraForCausalLM
except ImportError as error:
    raise ImportError("this problem needs: pip install 'transformers>=4.45'") from error


class Model(nn.Module):
    """Language model of the ELECTRA small architecture, with random weights.

    An encoder: every position sees all others. Embeddings have embedding_size features
    and are projected to hidden_size; the head projects back. x has shape
    (batch_size, sequence_length), type int64 and values in [0, vocab_size); the result
    holds one logit per token of the vocabulary, (batch_size, sequence_length,
    vocab_size). The model is in evaluation mode (no dropout) and its output matrix is
    the embedding. config: keyword arguments of transformers.ElectraConfig. model_name
    is kept for information only.
    """

    def __init__(self, model_name: str, config: dict[str, Any]) -> None:
        super().__init__()
        self.model_name = model_name
        self.config = config
        self.model = ElectraForCausalLM(ElectraConfig(**config))
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


model_name = "google/electra-small-discriminator"
vocab_size = 30522
max_position_embeddings = 512
embedding_size = 128
hidden_size = 256
num_layers = 12
num_heads = 4
intermediate_size = 1024
initializer_range = 0.02
config = {
    "vocab_size": vocab_size,
    "max_position_embeddings": max_position_embeddings,
    "embedding_size": embedding_size,
    "hidden_size": hidden_size,
    "num_hidden_layers": num_layers,
    "num_attention_heads": num_heads,
    "intermediate_size": intermediate_size,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "type_vocab_size": 2,
    "initializer_range": initializer_range,
    "layer_norm_eps": 1e-12,
    "is_decoder": False,
    "use_cache": True,
    "pad_token_id": 0,
}
sequence_length = 511
batch_size = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs() -> list:
    return [model_name, config]
