# Shortcuts; the build itself is CMake's. Only make must be there beforehand.
#   make demo    installs what is missing, builds, makes demo.png
#   make test    installs what is missing, builds, runs all tests

DEMO = build/release/sinew render assets/figure.glb --clip walk --time 0.25 -o demo.png
SOURCES = $$(git ls-files -co --exclude-standard '*.c' '*.h')

help:
	@echo "make demo     build, then draw the shipped figure in mid-stride: demo.png"
	@echo "make test     build, then run all tests"
	@echo "make release  optimised build of libraries, command, examples: build/release"
	@echo "make install  install the optimised build (PREFIX=/usr/local, DESTDIR=)"
	@echo "make format   apply .clang-format to all C files"
	@echo "make check    what CI runs: tests, formatting, static analysis, sanitizers"
	@echo "make clean    remove build/ and demo.png"
	@echo
	@echo "On Debian, demo and test install the packages they miss (root or sudo)."

demo:
	@scripts/packages.sh build run
	@scripts/build.sh release
	@echo "==> $(DEMO)"
	@$(DEMO)
	@echo "$(CURDIR)/demo.png is there: the figure in mid-stride."
	@cat scripts/demo.txt

release:
	@scripts/packages.sh build
	@scripts/build.sh release

test:
	@scripts/packages.sh build run test
	@scripts/build.sh dev
	@echo "==> ctest"
	@ctest --preset dev -j "$$(nproc)"

check:
	@.ci/run

PREFIX = /usr/local
install: release
	cmake --install build/release --prefix "$(PREFIX)"

format:
	@scripts/packages.sh check
	clang-format -i $(SOURCES)

clean:
	rm -rf build demo.png

.PHONY: help demo release test check install format clean
