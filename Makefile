# The two commands of the README, and a few for those who work on tamis. The work is done by CMake presets and scripts/.

.PHONY: help demo test test-full asan tsan format

help:
	@echo 'make demo    install what is missing, build, select from a real capture, verify, show'
	@echo 'make test    install what is missing, build, run the tests'
	@echo 'make test-full  hours: every kernel emulated over every case under many schedules too'
	@echo 'make asan    the tests under the address and undefined-behaviour sanitizers'
	@echo 'make tsan    the tests under the thread sanitizer'
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

format:
	git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format -i
