from typing import Any

import torch
import torch.nn as nn

try:
    from transformers import BigBirdConfig, BigBirdForCausalLM
except ImportError as error:
    raise ImportError("this problem needs: pip install 'transformers>=4.45'") from error


class Model(nn.Module):
    """Language model of the BigBird (RoBERTa base) architecture, with random weights.

    An encoder: every position sees all others. The block-sparse attention of the
    configuration applies only to sequences of more than 704 tokens; this one is
    shorter, so transformers selects full attention at the first call.
    x has shape (batch_size, sequence_length), type int64 and values in
    [0, vocab_size); the result holds one logit per token of the vocabulary,
    (batch_size, sequence_length, vocab_size). The model is in evaluation mode (no
    dropout) and its output matrix is the embedding. config: keyword arguments of
    transformers.BigBirdConfig. model_name is kept for information only.
    """

    def __init__(self, model_name: str, config: dict[str, Any]) -> None:
        super().__init__()
        self.model_name = model_name
        self.config = config
        self.model = BigBirdForCausalLM(BigBirdConfig(**config))
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


model_name = "google/bigbird-roberta-base"
vocab_size = 50358
max_position_embeddings = 4096
hidden_size = 768
num_layers = 12
num_heads = 12
intermediate_size = 3072
initializer_range = 0.02
config = {
    "vocab_size": vocab_size,
    "max_position_embeddings": max_position_embeddings,
    "hidden_size": hidden_size,
    "num_hidden_layers": num_layers,
    "num_attention_heads": num_heads,
    "intermediate_size": intermediate_size,
    "hidden_act": "gelu_new",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "type_vocab_size": 2,
    "initializer_range": initializer_range,
    "layer_norm_eps": 1e-12,
    "attention_type": "block_sparse",
    "block_size": 64,
    "num_random_blocks": 3,
    "use_bias": True,
    "rescale_embeddings": False,
    "is_decoder": False,
    "use_cache": True,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "sep_token_id": 66,
}
sequence_length = 256
batch_size = 32


def get_inputs() -> list[torch.Tensor]:
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs() -> list:
    return [model_name, config]
