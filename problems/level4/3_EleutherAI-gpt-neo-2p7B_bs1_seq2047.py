from typing import Any

import torch
import torch.nn as nn

try:
    from transformers import GPTNeoConfig, GPTNeoForCausalLM
except ImportError as error:
    raise ImportError("this problem needs: pip install 'transformers>=4.45'") from error


class Model(nn.Module):
    """Language model of the GPT-Neo 2.7B architecture, with random weights.

    Causal; the layers alternate between attention to all earlier positions and to
    the window_size latest ones. x has shape (batch_size, sequence_length), type
    int64 and values in [0, vocab_size); the result holds one logit per token of the
    vocabulary, (batch_size, sequence_length, vocab_size). The model is in evaluation
    mode (no dropout) and its output matrix is the embedding. config: keyword
    arguments of transformers.GPTNeoConfig. model_name is kept for information only.
    """

    def __init__(self, model_name: str, config: dict[str, Any]) -> None:
        super().__init__()
        self.model_name = model_name
        self.config = config
        self.model = GPTNeoForCausalLM(GPTNeoConfig(**config))
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


model_name = "EleutherAI/gpt-neo-2.7B"
vocab_size = 50257
max_position_embeddings = 2048
hidden_size = 2560
num_layers = 32
num_heads = 20
window_size = 256
initializer_range = 0.02
config = {
    "vocab_size": vocab_size,
    "max_position_embeddings": max_position_embeddings,
    "hidden_size": hidden_size,
    "num_layers": num_layers,
    "attention_types": [[["global", "local"], num_layers // 2]],
    "num_heads": num_heads,
    "intermediate_size": None,
    "window_size": window_size,
    "activation_function": "gelu_new",
    "resid_dropout": 0.0,
    "embed_dropout": 0.0,
    "attention_dropout": 0.0,
    "layer_norm_epsilon": 1e-5,
    "initializer_range": initializer_range,
    "use_cache": True,
    "bos_token_id": vocab_size - 1,
    "eos_token_id": vocab_size - 1,
}
sequence_length = 2047
batch_size = 1


def get_inputs() -> list[torch.Tensor]:
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs() -> list:
    return [model_name, config]
