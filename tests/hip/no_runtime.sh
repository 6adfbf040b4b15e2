#!/usr/bin/env bash
# On a machine without ROCm: info, select and bench say why there is no device, nothing is written, and a device that is
# not there is planned for.
#
# usage: no_runtime.sh TAMIS
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
tamis=$1
reason='no HIP device: libamdhip64 (ROCm 5 to 7) is not on this machine'

refused() { # COMMAND...: fails with the reason
  if "$tamis" "$@" 2>errors; then
    echo "tamis $* did not fail"
    exit 1
  fi
  grep -qF "$reason" errors || { cat errors; exit 1; }
}

"$tamis" info | grep -F "$reason"
"$tamis" generate --pattern normal --rows 1 --length 64 -o scores.npy
refused select --backend hip --scores scores.npy -k 4 --out-indices indices.npy
[[ ! -e indices.npy ]] || { echo 'select wrote indices'; exit 1; }
refused bench --backend hip --rows 1 --length 8 -k 4
"$tamis" plan --device mi355x --rows 64 --length 131072 -k 2048 | tee plan
grep -q 'method  *wide_split' plan
grep -qE 'wide_split_f32: 256 x 1024 threads, [0-9]+ bytes shared, 2 blocks a unit' plan
grep -qE 'workspace  *[0-9]+ bytes' plan
grep -qE 'reads  *1.03 x the row' plan
