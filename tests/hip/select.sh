#!/usr/bin/env bash
# Selects through the HIP backend from the command line and lets verify judge: an order, outputs, a page table, few long
# rows. Exits with what the first command that fails exits with.
#
# usage: select.sh TAMIS
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
tamis=$1

check() { # SCORES K ORDER
  local rows=(--scores "$1" -k "$2" --order "$3")
  "$tamis" select --backend hip "${rows[@]}" --out-indices i.npy --out-scores v.npy --out-counts c.npy
  "$tamis" verify "${rows[@]}" --indices i.npy --out-scores v.npy --counts c.npy
}

"$tamis" generate --pattern banded --rows 4 --length 9000 -o banded.npy
"$tamis" generate --pattern equal --rows 3 --length 3000 -o equal.npy
"$tamis" generate --pattern normal --rows 1 --length 66000 -o long.npy
check banded.npy 300 any
check banded.npy 2500 by_score
check equal.npy 1000 by_index
check equal.npy 4000 any
check long.npy 512 any
