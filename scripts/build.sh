#!/usr/bin/env bash
# scripts/build.sh PRESET [TARGET...]: configures and builds build/PRESET. The second time it
# configures quietly, so that a changed preset is taken up without noise.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
quiet=()
if [ -f "build/$preset/build.ninja" ]; then
    quiet=(--log-level=NOTICE)
fi
echo "==> build/$preset"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmake --preset "$preset" "${quiet[@]}" >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
grep -A20 '^-- Sinew ' "$log" | grep -v 'done$\|written to' || true
cmake --build --preset "$preset" ${1+--target "$@"}
