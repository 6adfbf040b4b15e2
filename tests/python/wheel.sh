#!/usr/bin/env bash
# usage: wheel.sh PYTHON SOURCES PREFIX, where tamis is installed. Installs the package into a new virtual environment, checks that the wheel is
# one for all CPythons, that it needs nothing of this machine but the C and C++ runtimes, that its types hold under mypy,
# and that it selects.
set -euo pipefail
python=$1 sources=$2 prefix=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$python" -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q scikit-build-core mypy
cd "$sources"
# Against the installed library, so that it is not compiled twice.
"$scratch/venv/bin/pip" wheel -q --no-deps --no-build-isolation -w "$scratch" --config-settings "build-dir=$scratch/build" \
  --config-settings cmake.source-dir=python --config-settings "cmake.define.CMAKE_PREFIX_PATH=$prefix" .
wheel=$(echo "$scratch"/tamis-*.whl)
[[ $wheel == *-cp310-abi3-linux_*.whl ]] || { echo "the wheel is called $wheel"; exit 1; }
"$scratch/venv/bin/pip" install -q "$wheel"

cd "$scratch"
module=$(echo venv/lib/python*/site-packages/tamis/_core.abi3.so)
needed=$(objdump -p "$module" | awk '/NEEDED/ {print $2}' | grep -vE '^(libc|libm|libstdc\+\+|libgcc_s|ld-linux.*|libpthread|libdl|librt|libhwy)\.so' || true)
[[ -z $needed ]] || { echo "the module needs $needed"; exit 1; }
[[ -e $(dirname "$module")/libhwy.so.1 || -z $(objdump -p "$module" | grep libhwy || true) ]] || { echo "libhwy is not in the wheel"; exit 1; }
venv/bin/python - <<'CODE'
import tamis
scores = tamis.generate("relu", rows=4, width=8192)
assert tamis.verify(scores, tamis.select(scores, k=512), k=512).exact
CODE
venv/bin/mypy --config-file "$sources/pyproject.toml" --cache-dir "$scratch/mypy" -p tamis
echo 'the wheel installs, loads, selects and is typed'
