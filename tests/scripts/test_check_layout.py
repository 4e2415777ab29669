#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/check-layout on small trees, each with one thing out of place.

    test_check_layout.py CHECK_LAYOUT
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = sys.argv.pop(1)

SOUND = {
    "lib/core/error.hpp": "#pragma once\n",
    "lib/parallel/thread_pool.hpp": '#pragma once\n#include "core/error.hpp"\n',
    "lib/maps/map.hpp": '#pragma once\n#include "core/error.hpp"\n',
    "lib/maps/dx_reader.cpp": '#include "core/error.hpp"\n#include "maps/map.hpp"\n',
    "lib/electrostatics/simd/kernels.hpp": '#pragma once\n#include "core/error.hpp"\n',
    "lib/placement/field.hpp": '#pragma once\n#include "electrostatics/simd/kernels.hpp"\n',
    "lib/placement/field.cpp": '#include "placement/field.hpp"\n#include <vector>\n#include "core/error.hpp"\n',
    "lib/jobs/solver.hpp": '#pragma once\n#include "maps/map.hpp"\n#include "placement/field.hpp"\n',
    "gpu/backend.hpp": '#pragma once\n#include "gpu/field_maker.hpp"\n#include "jobs/solver.hpp"\n',
    "gpu/field_maker.hpp": '#pragma once\n#include "placement/field.hpp"\n',
    "gpu/runtime/stream.hpp": '#pragma once\n#include <cuda_runtime.h>\n#include "core/error.hpp"\n',
    "gpu/placement/search.cu": '#include "gpu/placement/search.hpp"\n#include "gpu/runtime/stream.hpp"\n',
    "gpu/placement/search.hpp": '#pragma once\n#include "gpu/field_maker.hpp"\n#include "placement/field.hpp"\n',
    "apps/cli/options.hpp": '#pragma once\n#include "gpu/backend.hpp"\n',
    "apps/ionwell/main.cpp": '#include "cli/options.hpp"\n#include "jobs/solver.hpp"\n',
    "tests/gpu/test_search.cpp": '#include "gpu/placement/search.hpp"\n#include "cli/options.hpp"\n',
}

# The folders of a room, in a circle: each knows the files at the top, and these know each.
CIRCLE = {
    "lib/jobs/run.hpp": "#pragma once\n",
    "lib/jobs/run.cpp": '#include "jobs/run.hpp"\n#include "jobs/box/box.hpp"\n#include "jobs/ranks/ranks.hpp"\n',
    "lib/jobs/box/box.hpp": '#pragma once\n#include "jobs/job.hpp"\n',
    "lib/jobs/ranks/ranks.hpp": '#pragma once\n#include "jobs/sources/source.hpp"\n',
    "lib/jobs/sources/source.hpp": '#pragma once\n#include "jobs/job.hpp"\n',
    "lib/jobs/job.hpp": "#pragma once\n",
    "lib/jobs/views/page.hpp": '#pragma once\n#include "jobs/run.hpp"\n#include "jobs/views/parts/table.hpp"\n',
    "lib/jobs/views/parts/table.hpp": '#pragma once\n#include "jobs/job.hpp"\n',
}
LIST = "scripts/layout-circles"
LISTED = "# today's\nlib/jobs -> lib/jobs/box    1\nlib/jobs -> lib/jobs/ranks  1\n"


class CheckLayout(unittest.TestCase):
    def run_on(self, changed):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**SOUND, **changed}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return subprocess.run([SCRIPT, folder], capture_output=True, text=True)

    def expect_only(self, begin, word, changed):
        """One finding, which begins so and has `word` in it."""
        result = self.run_on(changed)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), 1, result.stdout)
        self.assertTrue(lines[0].startswith(begin), lines[0])
        self.assertIn(word, lines[0])
        self.assertIn("; ", lines[0])  # what to do

    def expect_none(self, changed):
        result = self.run_on(changed)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_a_sound_tree(self):
        self.expect_none({})

    def test_arrows_that_run_back(self):
        arrows = {
            "lib/core/lattice.hpp": "parallel/thread_pool.hpp",
            "lib/parallel/loop.hpp": "maps/map.hpp",
            "lib/maps/hdf5.hpp": "placement/field.hpp",
            "lib/electrostatics/simd/sums.hpp": "placement/field.hpp",
            "lib/structures/pqr.hpp": "maps/map.hpp",
            "lib/solvation/salt.hpp": "jobs/solver.hpp",
            "lib/placement/ions.hpp": "jobs/solver.hpp",
            "lib/jobs/report.hpp": "cli/options.hpp",
            "lib/jobs/job.hpp": "gpu/backend.hpp",
            "gpu/runtime/meter.hpp": "placement/field.hpp",
            "gpu/runtime/devices.hpp": "gpu/field_maker.hpp",
            "gpu/electrostatics/sum.cuh": "gpu/placement/search.hpp",
            "gpu/electrostatics/short.cuh": "placement/field.hpp",
            "gpu/lattice/mask.cuh": "jobs/solver.hpp",
            "gpu/placement/bounds.cuh": "gpu/backend.hpp",
            "apps/cli/help.hpp": "ionwell/commands.hpp",
            "apps/cli/gpu.hpp": "gpu/placement/search.hpp",
            "apps/ionwell/start.hpp": "gpu/field_maker.hpp",
        }
        for file, include in arrows.items():
            with self.subTest(file=file):
                self.expect_only(f"{file}:2: ", include, {file: f'#pragma once\n#include "{include}"\n'})

    def test_arrows_that_run_on(self):
        for file, include in {"lib/lattice/mask.hpp": "electrostatics/simd/kernels.hpp",
                              "lib/programs/apbs.hpp": "maps/map.hpp",
                              "lib/solvation/water.hpp": "placement/field.hpp",
                              "gpu/electrostatics/sum.cuh": "electrostatics/simd/kernels.hpp",
                              "apps/bench/gpu.hpp": "gpu/placement/search.hpp"}.items():
            with self.subTest(file=file):
                self.expect_none({file: f'#pragma once\n#include "{include}"\n'})

    def test_folders_that_include_each_other_in_a_circle(self):
        self.expect_only("lib/jobs: 4 folders ", "(lib/jobs, lib/jobs/box, lib/jobs/ranks, lib/jobs/sources), the shortest "
                         "lib/jobs -> lib/jobs/box (lib/jobs/run.cpp:2) -> lib/jobs (lib/jobs/box/box.hpp:2); ", CIRCLE)
        self.expect_only("lib/maps/dx: 2 folders ", "lib/maps/dx -> lib/maps/dx/text",
                         {"lib/maps/dx/dx.hpp": '#include "maps/dx/text/number.hpp"\n', "lib/maps/dx/grid.hpp": "",
                          "lib/maps/dx/text/number.hpp": '#include "maps/dx/grid.hpp"\n'})
        self.expect_only("apps/cli: 2 folders ", "apps/cli/help",
                         {"apps/cli/help/pages.hpp": '#include "cli/options.hpp"\n',
                          "apps/cli/command.hpp": '#include "cli/help/pages.hpp"\n'})
        self.expect_only("gpu/placement: 2 folders ", "gpu/placement/crystal_sites",
                         {"gpu/placement/crystal_sites/site.cuh": '#include "gpu/placement/search.hpp"\n',
                          "gpu/placement/all.hpp": '#include "gpu/placement/crystal_sites/site.cuh"\n'})

    def test_families_of_formats_that_include_each_other(self):
        self.expect_only("lib/structures/pdb/pqr.hpp:2: ", "lib/structures/amber",
                         {"lib/structures/amber/prmtop.hpp": "", "lib/structures/formats/all.hpp":
                          '#include "structures/amber/prmtop.hpp"\n#include "structures/pdb/pqr.hpp"\n',
                          "lib/structures/pdb/pqr.hpp": '#pragma once\n#include "structures/amber/prmtop.hpp"\n'})

    def test_folders_in_order(self):
        self.expect_none({"lib/jobs/views/page.hpp": CIRCLE["lib/jobs/views/page.hpp"], "lib/jobs/run.hpp": "",
                          "lib/jobs/views/parts/table.hpp": CIRCLE["lib/jobs/views/parts/table.hpp"], "lib/jobs/job.hpp": "",
                          "tests/run/box/a.hpp": '#include "tests/run/b.hpp"\n',
                          "tests/run/b.hpp": '#include "tests/run/box/a.hpp"\n'})

    def test_circles_that_are_listed(self):
        self.expect_none({**CIRCLE, LIST: LISTED})

    def test_one_more_include_along_a_listed_arrow(self):
        self.expect_only(f"{LIST}:2: lib/jobs -> lib/jobs/box ", "has 2 includes, but 1 listed "
                         "(lib/jobs/plan.hpp:1, lib/jobs/run.cpp:2)",
                         {**CIRCLE, LIST: LISTED, "lib/jobs/plan.hpp": '#include "jobs/box/box.hpp"\n'})

    def test_another_circle_than_the_listed_ones(self):
        self.expect_only("lib/jobs/ranks: 2 folders ", "lib/jobs/sources (lib/jobs/ranks/ranks.hpp:2) -> lib/jobs/ranks "
                         "(lib/jobs/sources/shared.hpp:1)",
                         {**CIRCLE, LIST: LISTED, "lib/jobs/sources/shared.hpp": '#include "jobs/ranks/ranks.hpp"\n'})

    def test_a_list_with_more_than_is_needed(self):
        without_box = '#include "jobs/run.hpp"\n#include "jobs/ranks/ranks.hpp"\n'
        self.expect_only(f"{LIST}:2: lib/jobs -> lib/jobs/box ", "remove the line",
                         {**CIRCLE, LIST: LISTED, "lib/jobs/run.cpp": without_box})
        self.expect_only(f"{LIST}:2: lib/jobs -> lib/jobs/box ", "closes no circle any more; remove the line",
                         {**CIRCLE, LIST: LISTED, "lib/jobs/box/box.hpp": ""})
        self.expect_only(f"{LIST}:2: lib/jobs -> lib/jobs/box ", "has 1 of the 3 includes listed; write 1",
                         {**CIRCLE, LIST: LISTED.replace("box    1", "box    3")})
        self.expect_only(f"{LIST}:4: lib/core -> lib/core/text ", "remove the line",
                         {**CIRCLE, LIST: LISTED + "lib/core -> lib/core/text  2\n"})

    def test_a_list_that_cannot_be_read(self):
        for line in ("lib/jobs lib/jobs/box 1", "lib/jobs -> lib/jobs/box", "lib/jobs -> lib/jobs/box  0", "lib/jobs -> lib/jobs/box  1"):
            with self.subTest(line=line):
                self.expect_only(f"{LIST}:4: '{line}'", "correct it", {**CIRCLE, LIST: LISTED + line + "\n"})

    def test_an_include_without_a_folder(self):
        self.expect_only("lib/maps/map.hpp:2: ", '"error.hpp"', {"lib/maps/map.hpp": '#pragma once\n#include "error.hpp"\n'})
        self.expect_only("tests/core/test_a.cpp:1: ", '"a.hpp"', {"tests/core/test_a.cpp": '#include "a.hpp"\n'})

    def test_an_include_of_no_room(self):
        self.expect_only("lib/maps/map.hpp:1: ", "no room", {"lib/maps/map.hpp": '#include "support/cases.hpp"\n'})

    def test_a_comment_is_no_include(self):
        self.expect_none({"lib/core/error.hpp": '#pragma once\n// #include "jobs/solver.hpp"\n/*\n#include "a.hpp"\n*/\n'})

    def test_cuda_outside_of_gpu(self):
        self.expect_only("lib/core/error.hpp:1: ", "CUDA", {"lib/core/error.hpp": "#include <cuda_runtime.h>\n"})

    def test_a_new_room(self):
        self.expect_only("lib/plots/plot.hpp:1: ", "no room", {"lib/plots/plot.hpp": '#include "core/error.hpp"\n'})
        self.expect_only("lib/plot.hpp:1: ", "no room", {"lib/plot.hpp": ""})

    def test_a_long_file(self):
        self.expect_none({"lib/core/error.hpp": "\n" * 400})
        self.expect_only("lib/core/error.hpp:401: ", "401 lines", {"lib/core/error.hpp": "\n" * 401})

    def test_names_that_do_not_fit(self):
        self.expect_only("lib/maps/uhbd.cpp:1: ", "no header", {"lib/maps/uhbd.cpp": '#include "core/error.hpp"\n'})
        self.expect_only("lib/placement/field.cpp:1: ", "first",
                         {"lib/placement/field.cpp": '#include "core/error.hpp"\n#include "placement/field.hpp"\n'})
        self.expect_only("lib/core/vec.hpp:1: ", "lib/maps/vec.cpp",
                         {"lib/core/vec.hpp": "", "lib/maps/vec.cpp": '#include "core/vec.hpp"\n#include "maps/map.hpp"\n'})
        self.expect_only("lib/core/Vec3.hpp:1: ", "lower_snake", {"lib/core/Vec3.hpp": ""})
        self.expect_only("lib/core/utils.hpp:1: ", "no idea", {"lib/core/utils.hpp": ""})

    def test_words_that_went(self):
        for text, name in {"class BlockSummer;\n": "BlockSummer", "int crew_size = 0;\n": "crew_size",
                           "void settle();\n": "settle", "bool widened_;\n": "widened_", "int n = tighten(3);\n": "tighten",
                           "struct Crowded {};\n": "Crowded", "auto at_a_glance = 1;\n": "at_a_glance"}.items():
            with self.subTest(name=name):
                self.expect_only("lib/core/error.hpp:1: ", f"'{name}'", {"lib/core/error.hpp": text})
        self.expect_none({"lib/core/error.hpp": 'int summary;  // it must settle\nauto a = "a crew";\n/* summer */\n'})

    def test_licences(self):
        named = "# SPDX-License-Identifier: BSD-3-Clause\n"
        whole = {"CMakeLists.txt": named, **{name: "//" + named[1:] + text for name, text in SOUND.items()},
                 "scripts/run": "#!/bin/sh\n" + named, "scripts/list": "no program\n", "tests/data/a.py": "pass\n"}
        self.expect_none(whole)
        self.expect_none({**whole, "lib/core/error.hpp": "//" + named[1:] + "\n" * 400})
        self.expect_only("lib/core/error.hpp:1: ", "its licence", {**whole, "lib/core/error.hpp": "#pragma once\n"})
        self.expect_only("scripts/run:1: ", "its licence", {**whole, "scripts/run": "#!/bin/sh\n#\n" + named})
        self.expect_only("cmake/a.cmake:1: ", "its licence", {**whole, "cmake/a.cmake": "set(a 1)\n"})

    def test_no_tree_and_bad_usage(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([SCRIPT, folder], capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn("no C++ file", result.stdout)
        self.assertEqual(subprocess.run([SCRIPT, "--fix"], capture_output=True).returncode, 2)


if __name__ == "__main__":
    unittest.main()
