#!/usr/bin/env bash
# fuzz/run.sh [--build DIR] SECONDS [TARGET...]: builds the fuzz targets, makes their seeds
# and runs each (all of them when none is named) for SECONDS, as many at once as there are
# cores. What it found stays in DIR/fuzz/corpus/TARGET, an input that broke a promise in
# DIR/fuzz/findings; exit 1 then.
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
    mapfile -t targets < <(find fuzz -maxdepth 1 -name '*.c' -printf '%f\n' | sed 's|\.c$||' | sort)
    set -- "${targets[@]}"
fi

run() { # build seconds target
    local build=$1 seconds=$2 target=$3 status=0
    if [ ! -x "$build/fuzz/$target" ]; then
        echo "$target: not built here"
        return 0
    fi
    local corpus=$build/fuzz/corpus/$target seeds=$build/fuzz/seeds/$target log=$build/fuzz/$target.log
    mkdir -p "$corpus" "$seeds"
    "$build/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
        -dict=fuzz/gltf.dict -artifact_prefix="$build/fuzz/findings/$target-" \
        -print_final_stats=1 "$corpus" "$seeds" >"$log" 2>&1 || status=$?
    local runs cover
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    cover=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1) || true
    if [ "$status" -eq 0 ]; then
        echo "$target: ${runs:-0} runs, ${cover:-cov: 0}, no finding"
        return 0
    fi
    echo "$target: a finding (exit $status), see $log"
    grep -m 8 'ERROR\|not kept\|runtime error\|SUMMARY\|Test unit' "$log" || tail -n 5 "$log"
    return 1
}
export -f run
export ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
# shellcheck disable=SC2016 # the inner shell expands them
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -c 'run "$@"' _ "$build" "$seconds" {} || exit 1
