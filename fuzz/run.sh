#!/usr/bin/env bash
# fuzz/run.sh [--build DIR] SECONDS [TARGET...]: builds the fuzz targets, makes their seeds
# and runs each (all of them when none is named) for SECONDS. What it found stays in
# DIR/fuzz/corpus/TARGET, an input that broke a promise in DIR/fuzz/findings; exit 1 then.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/fuzz
if [ "${1:-}" = --build ]; then
    build=$2
    shift 2
fi
seconds=${1:?usage: fuzz/run.sh [--build DIR] SECONDS [TARGET...]}
shift
mkdir -p "$build/fuzz/findings"
log=$build/fuzz/build.log
if ! { cmake --preset fuzz -B "$build" && cmake --build "$build"; } >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
python3 fuzz/make_seeds.py "$build/fuzz/seeds"
if [ $# -eq 0 ]; then
    set -- $(cd fuzz && ls ./*.c | sed 's|./||; s|\.c$||')
fi
export ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1

failed=0
for target; do
    if [ ! -x "$build/fuzz/$target" ]; then
        echo "$target: not built here"
        continue
    fi
    corpus=$build/fuzz/corpus/$target
    mkdir -p "$corpus" "$build/fuzz/seeds/$target"
    log=$build/fuzz/$target.log
    status=0
    "$build/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
        -dict=fuzz/gltf.dict -artifact_prefix="$build/fuzz/findings/$target-" \
        -print_final_stats=1 "$corpus" "$build/fuzz/seeds/$target" >"$log" 2>&1 || status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    cover=$(grep -o "cov: [0-9]*" "$log" | tail -n 1) || true
    if [ "$status" -eq 0 ]; then
        echo "$target: ${runs:-0} runs, ${cover:-cov: 0}, no finding"
    else
        echo "$target: a finding (exit $status), see $log"
        grep -m 8 'ERROR\|not kept\|runtime error\|SUMMARY\|Test unit' "$log" || tail -n 5 "$log"
        failed=1
    fi
done
exit $failed
