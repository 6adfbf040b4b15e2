#!/usr/bin/env bash
# usage: exports.sh PREFIX    That the shared library exports the API and nothing else: neither its own details nor a
# dependency's or the standard library's templates.
set -euo pipefail

library=$(find "$1" -name libtamis.so)
exported=$(nm --dynamic --defined-only --demangle "$library" | cut -d' ' -f3-)
grep -q '^tamis_select' <<<"$exported"
grep -q '^tamis::select(' <<<"$exported"
foreign=$(grep -vE '^(tamis_[a-z_]+(@|$)|(typeinfo|typeinfo name|vtable) for tamis::|tamis::)' <<<"$exported" || true)
details=$(grep -E 'tamis::(detail|cli|verifier|simt|kernels|stages)::' <<<"$exported" | grep -v '(' || true)
if [[ -n $foreign$details ]]; then
  printf 'exported, and not part of the API:\n%s\n' "$foreign$details"
  exit 1
fi
