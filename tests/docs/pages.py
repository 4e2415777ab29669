# SPDX-License-Identifier: BSD-3-Clause
"""Pages in Markdown as the tests see them: blocks of code with what they need, headings, links.

A comment before a block says how it is run; each is true of the next block alone, but for `sample`:

    <!-- sample: sys.psf run.dcd -->    files that stand for the reader's own (sample_files.py makes them)
    <!-- needs: gmx -->                 what must be there to run it: a program (psfgen with TOPPAR, its folder of topology
                                        files; mdrun where GROMACS can run dynamics), py.NAME for a module of Python, gpu for a GPU, mpi for a program built with it,
                                        entry.NAME for an entry of the PDB in the folder of shared data, which becomes NAME.pdb,
                                        or install for a machine that may be changed
    <!-- fails: 3 -->                   the last command ends with this code
    <!-- compare: words -->             numbers may differ: those of ions that move depend on the processor's instructions
    <!-- from: FILE -->                 not run: the lines stand so in this file of the repository
"""
import ast
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
FOLDER = SOURCE / "examples/docs/pages"
RUN = {"console", "sh", "python", "pycon", "tcl"}
SHOWN = {"text", "math", "cpp", "cmake", "json"}  # nothing to run, or `from` a file
COMMENT = re.compile(r"<!--\s*(\w+):\s*(.*?)\s*-->\s*$")
FENCE = re.compile(r"(```+)\s*(\S*)\s*$")


class PageError(Exception):
    """Where, and what is wrong."""


@dataclass
class Block:
    """One fenced block; `line` is the number of its first line of text."""
    page: "Page"
    line: int
    language: str
    lines: list
    needs: frozenset = frozenset()
    samples: list = field(default_factory=list)
    exit_code: int = 0
    words_only: bool = False
    origin: str = ""

    @property
    def where(self):
        return f"{self.page.name}:{self.line}"

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


class Page:
    """A file of Markdown; `prose` is its lines, numbered, outside of blocks."""

    def __init__(self, path):
        self.path = Path(path).resolve()
        self.name = os.path.relpath(self.path, SOURCE)
        self.blocks, self.prose = [], []
        self._read()
        self._add_imports()

    def _read(self):
        said, samples, block, fence = {}, [], None, ""
        for number, line in enumerate(self.path.read_text().splitlines(), 1):
            if block is not None:
                if line.strip() == fence:
                    self.blocks.append(block)
                    block = None
                else:
                    block.lines.append(line)
                continue
            opening = FENCE.match(line)
            if opening:
                fence = opening.group(1)
                block = Block(self, number + 1, opening.group(2), [], frozenset(said.get("needs", "").split()), samples,
                              int(said.get("fails", "0")), said.get("compare") == "words", said.get("from", ""))
                said, samples = {}, []
                continue
            comment = COMMENT.match(line)
            if comment:
                key, value = comment.groups()
                if key == "sample":
                    samples = samples + value.split()
                elif key in ("needs", "fails", "compare", "from"):
                    said[key] = value
                else:
                    raise PageError(f"{self.name}:{number}: a comment '{key}:' is not one that the tests know")
            elif line.strip() and said:
                raise PageError(f"{self.name}:{number}: the comment before is for a block, and here is none")
            self.prose.append((number, line))
        if block is not None:
            raise PageError(f"{block.where}: this block has no end")

    def _add_imports(self):
        """Python of a page shares its names: a block needs what those before it import, too."""
        modules = set()
        for block in self.blocks:
            if block.language in ("python", "pycon"):
                modules |= imported_modules(block)
                block.needs |= {"py." + module for module in modules - ({"numpy"} if "ionwell" in modules else set())}

    def anchors(self):
        """Of the headings, as MkDocs and GitHub both have them."""
        found = set()
        for _, line in self.prose:
            heading = re.match(r"#+\s+(.*)", line)
            if heading:
                words = re.sub(r"[^\w\s-]", "", heading.group(1).replace("`", "").lower()).strip()
                found.add(re.sub(r"\s+", "-", words))
        return found

    def links(self):
        """(line number, address) of each link and picture."""
        for number, line in self.prose:
            for address in re.findall(r"\]\(([^)\s]+)\)", line) + re.findall(r'(?:href|src)="([^"]+)"', line):
                yield number, address


def code_of(block):
    """The Python of a block; of a session without its prompts."""
    if block.language == "python":
        return block.text
    return "".join(line[4:] + "\n" for line in block.lines if line.startswith((">>> ", "... ")))


def imported_modules(block):
    """The modules that a block imports and that no Python has by itself."""
    found = set()
    for node in ast.walk(ast.parse(code_of(block), block.where)):
        names = [n.name for n in node.names] if isinstance(node, ast.Import) else \
            [node.module] if isinstance(node, ast.ImportFrom) else []
        found |= {name.split(".")[0] for name in names}
    return found - set(sys.stdlib_module_names)


def entry_file(need):
    """Where the entry is that `entry.NAME` names; it need not be there."""
    data = Path(os.environ.get("IONWELL_SHARED_DATA", SOURCE.parent / "shared/data"))
    return data / "entries" / (need.removeprefix("entry.") + ".pdb.gz")


def all_pages():
    """Those of the site, and the README."""
    return [Page(SOURCE / "README.md")] + [Page(path) for path in sorted(FOLDER.rglob("*.md"))]


def dynamics_problem():
    """Why 'gmx mdrun' cannot run here though other commands of gmx can: it asks for the processor that it was built for."""
    if not shutil.which("gmx"):
        return "there is no gmx here"
    said = subprocess.run(["gmx", "--version"], capture_output=True, text=True).stdout
    built_for_it = re.search(r"RDTSCP usage:\s*enabled", said)
    has_it = "rdtscp" in Path("/proc/cpuinfo").read_text().split() if os.path.exists("/proc/cpuinfo") else True
    return "this gmx was built for processors with the instruction rdtscp, which this one lacks" if built_for_it and not has_it else ""


def missing(need):
    """Why a block with this need cannot run here, or an empty text."""
    if need == "install":
        return "" if os.environ.get("IONWELL_DOCS_INSTALL") == "1" else \
            "it installs packages and builds: set IONWELL_DOCS_INSTALL=1 where that may be"
    if need == "mpi":
        return "" if os.environ.get("IONWELL_DOCS_MPI") == "1" else "this ionwell was built without MPI (-DIONWELL_MPI=ON)"
    if need == "gpu":
        return "" if os.path.exists("/dev/nvidia0") else "there is no GPU here"
    if need == "mdrun":
        return dynamics_problem()
    if need.startswith("entry."):
        return "" if entry_file(need).is_file() else f"there is no {entry_file(need)}: set IONWELL_SHARED_DATA to the folder of shared data"
    if need.startswith("py."):
        try:
            importlib.import_module(need[3:])
            return ""
        except ImportError as problem:
            return f"there is no Python module {need[3:]} here: {problem}"
    if need == "pymol" and importlib.util.find_spec(need) is None:  # its program is a script for this Python
        return f"{sys.executable} has no module pymol"
    if not shutil.which(need):
        return f"there is no {need} here"
    if need == "psfgen":  # which is of no use without these
        folder = Path(os.environ.get("TOPPAR", ""))
        for name in ("top_all36_na.rtf", "toppar_water_ions.str"):
            if not os.environ.get("TOPPAR") or not (folder / name).is_file():
                return f"there is no {name} here: set the environment variable TOPPAR to the folder of CHARMM's topology files"
    return ""
