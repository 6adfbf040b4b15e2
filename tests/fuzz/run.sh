#!/usr/bin/env bash
# Fuzzes for a while and keeps what reaches new code: tests/fuzz/run.sh TARGET [SECONDS]; TARGET is select, npy or c_api.
# New inputs gather in build/fuzz/corpus/TARGET; an input that fails is left there as crash-*, to be fixed and committed.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:?which target: select, npy or c_api}
seconds=${2:-600}
grown=build/fuzz/corpus/$target
mkdir -p "$grown"
scripts/setup fuzz
cmake --preset fuzz
cmake --build --preset fuzz --target "tamis_${target}_fuzz"
"build/fuzz/tests/fuzz/tamis_${target}_fuzz" -max_total_time="$seconds" -max_len=4096 -artifact_prefix="$grown/" \
  "$grown" "tests/fuzz/corpus/$target"
