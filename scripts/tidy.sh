#!/usr/bin/env bash
# scripts/tidy.sh BUILD_DIR: clang-tidy over every file of ours that was compiled
# there, as many at once as there are cores. Prints only what it finds.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
# The database names generated files as well; those are not ours to mend.
python3 - "$build/compile_commands.json" "$PWD" <<'PYTHON' |
import json, os, sys
root = os.path.realpath(sys.argv[2])
files = {os.path.realpath(entry["file"]) for entry in json.load(open(sys.argv[1]))}
ours = ("src", "cli", "examples", "tests", "bench")
print("\n".join(sorted(f for f in files if os.path.relpath(f, root).split(os.sep)[0] in ours)))
PYTHON
    xargs -P "$(nproc)" -n 1 clang-tidy -p "$build" --quiet \
        --extra-arg=-Wno-unknown-warning-option 2> >(grep -v 'warnings\? generated' >&2)
