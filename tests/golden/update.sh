#!/usr/bin/env bash
# Rewrites every golden from what this build says. Read `git diff tests/golden/expected` before committing it.
# usage: tests/golden/update.sh [BUILD_FOLDER]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/release}
TAMIS_UPDATE_GOLDENS=1 ctest --test-dir "$build" -R '^golden\.' --output-on-failure
git -C "$root" --no-pager diff --stat -- tests/golden/expected
