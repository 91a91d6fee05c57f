#!/usr/bin/env bash
# Installs what is missing for the purposes named, or says what is missing.
#   scripts/packages.sh build|run|test|check|fuzz...
# Debian 12's names. Where there is no dpkg, a probe tells whether the thing is there.
set -euo pipefail

# purpose  package  probe  what for
table='
build  gcc                  cmd:cc                   C11 compiler
build  g++                  cmd:c++                  Draco, headers from C++
build  libc6-dev            header:math.h            C library
build  cmake                cmd:cmake                build (3.25 or newer)
build  ninja-build          cmd:ninja                build
build  pkg-config           cmd:pkg-config           finds the libraries
build  libcglm-dev          header:cglm/cglm.h       vectors and matrices
build  libsimde-dev         header:simde/x86/avx2.h SIMD kernels
build  libmeshoptimizer-dev header:meshoptimizer.h   meshopt compression
build  libdraco-dev         header:draco/draco_features.h Draco compression
build  python3-glad         cmd:glad                 OpenGL functions
build  libegl-dev           header:EGL/egl.h         drawing without a window
build  libglfw3-dev         header:GLFW/glfw3.h      window example
build  libspng-dev          header:spng.h            PNG
build  libjpeg62-turbo-dev  header:jpeglib.h         JPEG
build  libwebp-dev          header:webp/decode.h     WebP textures
run    libegl1              lib:libEGL.so.1          drawing without a window
run    libgl1-mesa-dri      none                     OpenGL on any machine
test   libcmocka-dev        header:cmocka.h          unit tests
test   python3              cmd:python3              tests of the command
test   xvfb                 cmd:Xvfb                 window example without a screen
test   xauth                cmd:xauth                window example without a screen
check  clang-format         cmd:clang-format         formatting
check  clang-tidy           cmd:clang-tidy           static analysis
check  cppcheck             cmd:cppcheck             static analysis
check  git                  cmd:git                  list of files
fuzz   clang                cmd:clang                libFuzzer
fuzz   libclang-rt-dev      none                     libFuzzer
'

probe() { # kind:name
    case "$1" in
    cmd:*) command -v "${1#*:}" ;;
    header:*) printf '#include <stdio.h>\n#include <%s>\n' "${1#*:}" | cc -E - ;;
    lib:*) PATH="$PATH:/sbin:/usr/sbin" ldconfig -p | grep -F "${1#*:} " ;;
    *) true ;;
    esac >/dev/null 2>&1
}

installed() { # package probe
    if command -v dpkg-query >/dev/null; then
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
    else
        probe "$2"
    fi
}

missing=()
lines=""
while read -r purpose package test what; do
    case " $* " in *" $purpose "*) ;; *) continue ;; esac
    if ! installed "$package" "$test"; then
        missing+=("$package")
        lines+=$(printf '  %-20s %s' "$package" "$what")$'\n'
    fi
done <<<"${table#?}"

if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi
printf 'Missing packages (Debian names):\n%s' "$lines"

as_root=()
if ! command -v apt-get >/dev/null; then
    echo "There is no apt here: please install their equivalents and run this again." >&2
    exit 1
elif [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Neither root nor sudo: please have them installed and run this again." >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "Installing them with apt-get."
as_root+=(env DEBIAN_FRONTEND=noninteractive)
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
