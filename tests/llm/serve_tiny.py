"""An OpenAI-compatible server with a tiny random model.

Builds a one-layer Llama with a byte-level tokenizer and hands over to
`transformers serve`.

    serve_tiny.py FOLDER PORT
"""

import os
import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: "
)


def build_tokenizer(folder: str) -> int:
    """A token per byte; how many there are."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {"<s>": 0, "</s>": 1} | {c: i + 2 for i, c in enumerate(alphabet)}
    tokenizer = Tokenizer(models.BPE(vocab=words, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>"
    )
    fast.chat_template = TEMPLATE
    fast.save_pretrained(folder)
    return len(words)


def build_model(folder: str, words: int) -> None:
    """Random weights, the same every time."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=words,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=65536,
        bos_token_id=0,
        eos_token_id=1,
    )
    LlamaForCausalLM(config).save_pretrained(folder)


def main() -> None:
    """Builds the model and becomes the server."""
    folder, port = sys.argv[1:3]
    build_model(folder, build_tokenizer(folder))
    serve = "from transformers.cli.transformers import main; main()"
    command = [sys.executable, "-c", serve, "serve", folder]
    options = ["--host", "127.0.0.1", "--port", port, "--device", "cpu"]
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.execv(sys.executable, command + options)


if __name__ == "__main__":
    main()
