# The two commands of the README, and a few for those who work on tamis. The work is done by CMake presets and scripts/.

.PHONY: help demo test test-full test-emulator-full asan tsan tsan-emulator cuda resources format

help:
	@echo 'make demo    install what is missing, build, select from a real capture, verify, show'
	@echo 'make test    install what is missing, build, run the tests'
	@echo 'make test-full  hours: every kernel emulated over every case under many schedules too'
	@echo 'make asan    the tests under the address and undefined-behaviour sanitizers'
	@echo 'make tsan    the tests under the thread sanitizer'
	@echo 'make tsan-emulator       the emulator and its kernels, every GPU thread a thread of the sanitizer'
	@echo 'make test-emulator-full  all that the emulator can show: many schedules, every barrier taken out in turn'
	@echo 'make cuda                the CUDA backend for every architecture; what of its tests needs no GPU is run'
	@echo 'make resources           after make cuda: registers, spills and shared memory of every kernel it has, against a table'
	@echo 'make format  format the sources that git knows'

demo:
	scripts/demo

test:
	scripts/test release

test-full:
	scripts/test release --preset release-full

asan:
	scripts/test asan

tsan:
	scripts/test tsan

tsan-emulator:
	scripts/test tsan-emulator

test-emulator-full:
	scripts/test_emulator

cuda:
	scripts/cuda

resources:
	tools/resources.py build/release

format:
	git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format -i
