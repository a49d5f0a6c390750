from typing import Any

import torch
import torch.nn as nn

try:
    from transformers import ReformerConfig, ReformerModelWithLMHead
except ImportError as error:
    raise ImportError("this problem needs: pip install 'transformers>=4.45'") from error


class Model(nn.Module):
    """Language model over bytes of the Reformer (enwik8) architecture, with random weights.

    Causal; reversible residual layers, axial position embeddings. "local" layers attend
    to the own and the previous chunk of 128 positions. "lsh" layers would hash
    sequences of more than 256 positions with random projections; with 256
    they use full attention, in which a position sees itself only if it sees no other.
    x has shape (batch_size, sequence_length), type int64 and values in [0, vocab_size);
    the result holds one logit per token of the vocabulary, (batch_size,
    sequence_length, vocab_size). The model is in evaluation mode (no dropout). config:
    keyword arguments of transformers.ReformerConfig. model_name is kept for information
    only.
    """

    def __init__(self, model_name: str, config: dict[str, Any]) -> None:
        super().__init__()
        self.model_name = model_name
        self.config = config
        self.model = ReformerModelWithLMHead(ReformerConfig(**config))
        self.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


model_name = "google/reformer-enwik8"
vocab_size = 258
axial_pos_shape = [128, 512]
axial_pos_embds_dim = [256, 768]
max_position_embeddings = 65536
hidden_size = 1024
attn_layers = ["local", "local", "lsh", "local"] * 3
num_heads = 8
head_size = 128
intermediate_size = 4096
initializer_range = 0.02
config = {
    "vocab_size": vocab_size,
    "max_position_embeddings": max_position_embeddings,
    "axial_pos_embds": True,
    "axial_pos_shape": axial_pos_shape,
    "axial_pos_embds_dim": axial_pos_embds_dim,
    "axial_norm_std": 1.0,
    "hidden_size": hidden_size,
    "attn_layers": attn_layers,
    "num_attention_heads": num_heads,
    "attention_head_size": head_size,
    "feed_forward_size": intermediate_size,
    "hidden_act": "relu",
    "local_attn_chunk_length": 128,
    "local_num_chunks_before": 1,
    "local_num_chunks_after": 0,
    "lsh_attn_chunk_length": 256,
    "lsh_num_chunks_before": 1,
    "lsh_num_chunks_after": 0,
    "num_buckets": 512,
    "num_hashes": 4,
    "hash_seed": None,
    "hidden_dropout_prob": 0.2,
    "local_attention_probs_dropout_prob": 0.2,
    "lsh_attention_probs_dropout_prob": 0.1,
    "chunk_size_feed_forward": 0,
    "chunk_size_lm_head": 0,
    "initializer_range": initializer_range,
    "layer_norm_eps": 1e-12,
    "is_decoder": True,
    "use_cache": True,
    "tie_word_embeddings": False,
    "pad_token_id": 0,
    "eos_token_id": 2,
}
sequence_length = 256
batch_size = 32


def get_inputs() -> list[torch.Tensor]:
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs() -> list:
    return [model_name, config]
