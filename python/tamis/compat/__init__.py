"""The calls that engines make today, answered by tamis: the modules sglang, vllm and flashinfer of tamis.compat.

Names, arguments, defaults and meaning are those of sglang 0.5.23 with sglang-kernel 0.4.10, vllm 0.33.0 and
flashinfer-python 0.7.4. What those restrict (k, strides, page sizes, alignment) is free here, what they leave
undefined (negative lengths, lengths past the width, NaN) is as tamis's contract has it, and scores are never written.
Arguments that steer only how the original computes are accepted and change nothing. Tensors are torch's, on a GPU or
the CPU.
"""
