from typing import Any

import torch
import torch.nn as nn

try:
    from transformers import BartConfig, BartForCausalLM
except ImportError as error:
    raise ImportError("this problem needs: pip install 'transformers>=4.45'") from error


class Model(nn.Module):
    """Decoder of the BART large architecture as a language model, with random weights.

    Causal; there is no encoder, hence no cross-attention. Learned positions,
    normalisation behind every block. x has shape (batch_size, sequence_length), type
    int64 and values in [0, vocab_size); the result holds one logit per token of the
    vocabulary, (batch_size, sequence_length, vocab_size). The model is in evaluation
    mode (no dropout) and its output matrix is the embedding. config: keyword
    arguments of transformers.BartConfig. model_name is kept for information only.
    """

    def __init__(self, model_name: str, config: dict[str, Any]) -> None:
        super().__init__()
        self.model_name = model_name
        self.config = config
        self.model = BartForCausalLM(BartConfig(**config))
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


model_name = "facebook/bart-large"
vocab_size = 50265
max_position_embeddings = 1024
hidden_size = 1024
num_layers = 12
num_heads = 16
intermediate_size = 4096
initializer_range = 0.02
config = {
    "vocab_size": vocab_size,
    "max_position_embeddings": max_position_embeddings,
    "d_model": hidden_size,
    "encoder_layers": num_layers,
    "encoder_attention_heads": num_heads,
    "encoder_ffn_dim": intermediate_size,
    "decoder_layers": num_layers,
    "decoder_attention_heads": num_heads,
    "decoder_ffn_dim": intermediate_size,
    "activation_function": "gelu",
    "dropout": 0.1,
    "attention_dropout": 0.1,
    "activation_dropout": 0.1,
    "encoder_layerdrop": 0.0,
    "decoder_layerdrop": 0.0,
    "init_std": initializer_range,
    "scale_embedding": False,
    "use_cache": True,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
}
sequence_length = 1023
batch_size = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs() -> list:
    return [model_name, config]
