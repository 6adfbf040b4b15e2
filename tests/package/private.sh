#!/usr/bin/env bash
# usage: private.sh PREFIX    That an installed tamis shows its consumers nothing of what it is built from: no header but
# its own, no folder of the machine that built it, and of its dependencies only what a static link needs.
set -euo pipefail

prefix=$1
found=$(find "$prefix/include" -type f ! -path "$prefix/include/tamis/*")
[[ -z $found ]] || { echo "installed besides include/tamis: $found"; exit 1; }
leaked=$(grep -rnE 'fmt|nlohmann|tamis_settings|/nowhere' "$prefix" --include '*.cmake' --include '*.pc' || true)
[[ -z $leaked ]] || { printf 'in the package files:\n%s\n' "$leaked"; exit 1; }
included=$(grep -hoE '#include [<"][^>"]+' -r "$prefix/include" | grep -E 'fmt|nlohmann|hwy' || true)
[[ -z $included ]] || { echo "a public header includes a dependency: $included"; exit 1; }
