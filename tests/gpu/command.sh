#!/usr/bin/env bash
# The command in a build with the CUDA backend: where there is a device it selects there; where there is none it says so,
# names the reason, and selects on the CPU when left the choice. Plans need no device.
#
# usage: command.sh TAMIS
set -euo pipefail

tamis=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "command.sh: $*" >&2; exit 1; }

rows=(--scores s.npy -k 500)
"$tamis" generate --pattern relu --rows 3 --length 9000 -o s.npy
"$tamis" select "${rows[@]}" --out-indices i.npy
"$tamis" verify "${rows[@]}" --indices i.npy
"$tamis" plan --rows 3 --length 9000 -k 500 --device h200 | grep -q h200 || fail "no plan for a device by name"

"$tamis" info >info.txt
if grep -qE '^ +cuda +yes' info.txt; then
  "$tamis" select "${rows[@]}" --backend cuda --out-indices cuda.npy
  "$tamis" verify "${rows[@]}" --indices cuda.npy
  exit 0
fi
grep -qE '^ +cuda +no: no CUDA device: .' info.txt || fail "info does not say why there is no device"
status=0
"$tamis" select "${rows[@]}" --backend cuda --out-indices cuda.npy 2>error.txt || status=$?
[[ $status -eq 3 ]] || fail "without a device --backend cuda exits with $status"
grep -qF -- "--backend is 'cuda'; no device: no CUDA device: " error.txt || fail "$(cat error.txt)"
[[ ! -e cuda.npy ]] || fail "an output was written without a device"
