#!/usr/bin/env python3
"""Runs every code block of a document: what the documentation shows is what the library does.

    cpp, c   compiled against the installed library and run; a block without main becomes the body of one. An HTML comment
             `<!-- before: ... -->` above the block holds declarations that the reader need not see
    sh       run line by line, by a user whose home is new, beside the built command, tests/data and the build as
             build/release; make and presets are only asked whether they exist
    cmake    configured as a project of its own that finds the installed tamis
    python   run with the package of the build, one after another in one program
    text     the exact output of the block before it

Any other kind of block fails. Exit status 0 when all is as the document says.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?:<!-- before:(?P<before>.*?)-->\n+)?```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.S | re.M)
PRESET = re.compile(r"(?:cmake|cmake --build|ctest) --preset (\w+)")
STANDARD = {"cpp": ["-std=c++20"], "c": ["-std=c99", "-pedantic"]}
INCLUDES = {
    "cpp": ["cstdio", "vector", "tamis/tamis.hpp", "tamis/workload.hpp"],
    "c": ["stdio.h", "stdlib.h", "tamis/tamis.h"],
}


@dataclasses.dataclass
class Block:
    kind: str
    body: str
    before: str
    line: int


class Wrong(Exception):
    pass


def blocks_of(document):
    text = document.read_text()
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("body"))
        yield Block(match["kind"], match["body"], match["before"] or "", line)


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    if done.returncode != 0:
        raise Wrong(f"{command} exited with {done.returncode}:\n{done.stdout}")
    return done.stdout


class Checker:
    def __init__(self, options, scratch):
        self.options = options
        self.scratch = scratch
        self.printed = None
        self.told = ""  # the Python blocks so far
        (scratch / "tests").symlink_to(ROOT / "tests")
        (scratch / "build").mkdir()
        (scratch / "build/release").symlink_to(options.build)
        self.environment = dict(os.environ, HOME=str(scratch), PATH=f"{options.build}:{os.environ['PATH']}")

    def check(self, block):
        if block.kind in STANDARD:
            self.printed = self.compiled(block)
        elif block.kind == "sh":
            self.printed = "".join(self.shell(line) for line in block.body.splitlines() if line.strip())
        elif block.kind == "python":
            self.printed = self.interpreted(block)
        elif block.kind == "cmake":
            self.configured(block)
        elif block.kind == "text":
            self.compared(block)
        else:
            raise Wrong(f"a block of kind '{block.kind}'; it must be cpp, c, python, sh, cmake or text")

    def compiled(self, block):
        source = self.scratch / f"block.{block.kind}"
        source.write_text(self.program(block))
        compiler = self.options.cxx if block.kind == "cpp" else self.options.cc
        run([compiler, *STANDARD[block.kind], "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers",
             f"-I{ROOT / 'include'}", "-c", str(source), "-o", "block.o"], cwd=self.scratch)
        search = dict(os.environ, PKG_CONFIG_PATH=str(self.options.prefix / "lib/pkgconfig"))
        libraries = run(["pkg-config", "--libs", "tamis"], env=search).split()
        run([self.options.cxx, "block.o", *libraries, "-o", "block"], cwd=self.scratch)
        return run(["./block"], cwd=self.scratch)

    def program(self, block):
        if "int main" in block.body:
            return block.body
        includes = "".join(f"#include <{name}>\n" for name in INCLUDES[block.kind])
        own = "".join(re.findall(r"^#include .*\n", block.body, re.M))
        body = re.sub(r"^#include .*\n", "", block.body, flags=re.M)
        return f"{includes}{own}int main(void) {{\n{block.before}\n{body}\nreturn 0;\n}}\n"

    def interpreted(self, block):
        """What the block prints; the blocks before it are run again, unheard."""
        program = f"import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    exec({self.told!r})\n{block.body}"
        self.told += block.body
        environment = dict(self.environment, PYTHONPATH=str(self.options.build / "python"))
        return run([sys.executable, "-c", program], cwd=self.scratch, env=environment)

    def shell(self, line):
        if line.startswith("pip "):  # tests/python/wheel.sh does it
            return ""
        if line.startswith("make "):
            return run(["make", "-n", *line.split("#")[0].split()[1:]], cwd=ROOT) and ""
        if preset := PRESET.match(line):
            if f'"{preset[1]}"' not in run(["cmake", "--list-presets"], cwd=ROOT):
                raise Wrong(f"there is no preset {preset[1]}")
            return ""
        return run(["bash", "-euo", "pipefail", "-c", line], cwd=self.scratch, env=self.environment)

    def configured(self, block):
        project = self.scratch / "project"
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text(block.body)
        (project / "app.cpp").write_text("#include <tamis/tamis.hpp>\nint main() { return tamis::version().empty(); }\n")
        run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.options.prefix}"], cwd=project)
        run(["cmake", "--build", "build"], cwd=project)

    def compared(self, block):
        if self.printed is None:
            raise Wrong("a text block with nothing before it that prints")
        if self.printed.rstrip() != block.body.rstrip():
            raise Wrong(f"the document says\n{block.body}and the block before it printed\n{self.printed}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder with the built command and Python module")
    parser.add_argument("--prefix", type=pathlib.Path, required=True, help="where tamis was installed")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--cc", default="cc")
    return parser.parse_args()


def main():
    options = arguments()
    blocks = list(blocks_of(options.document))
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(options, pathlib.Path(folder))
        for block in blocks:
            try:
                checker.check(block)
            except (Wrong, subprocess.TimeoutExpired) as wrong:
                sys.exit(f"{options.document}:{block.line}: {wrong}")
    print(f"{options.document.name}: {len(blocks)} blocks as written")


if __name__ == "__main__":
    main()
