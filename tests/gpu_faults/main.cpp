// SPDX-License-Identifier: BSD-3-Clause
// A GPU that fails half-way: runs a copy of the program, and one that computes forces, in which call n of
// CUDA's runtime fails, for n = 1, 2, 3 ... The program ends with the CPU's result and one line about it, or
// as if nothing had been, where the failure met only what is tried again, as the start ahead of time is.
// Where no GPU can be had from the start, or forces were asked of it, there is one message and no file.
#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "support/dcd_bytes.hpp"
#include "support/temporary_folder.hpp"

namespace {

using ionwell::test::read_text;
using ionwell::test::TemporaryFolder;
using ionwell::test::write_text;

int failures = 0;

void fail(long call, const std::string& command, const std::string& what) {
  ++failures;
  std::cout << "call " << call << " of: " << command << "\n  " << what << '\n';
}

/// A file but for the lines that have the command.
std::string lasting_part(const std::string& path) {
  std::istringstream text(read_text(path));
  std::string lasting;
  for (std::string line; std::getline(text, line);)
    if (line.find("--backend") == line.npos) lasting += line + '\n';
  return lasting;
}

/// The exit code, or 128 and the signal's number.
int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Whether what a program said is that the CPU went on, and nothing else.
bool tells_of_hand_over(const std::string& err) {
  return err.rfind("ionwell: warning: ", 0) == 0 && err.find('\n') == err.size() - 1 &&
         err.find("; its work continues on the CPU") != err.npos;
}

/// What is wrong with a run's end, if anything. A program that hands its work over has the CPU's result then;
/// whether a GPU is there at all is asked before, and that may fail.
std::string problem_of(int code, const std::string& err, bool is_there, const std::string& found,
                       const std::string& by_gpu, const std::string& by_cpu, bool hands_over) {
  if (code > 1) return "ended with " + std::to_string(code) + ": " + err;
  if (code == 0 && err.empty()) return found == by_gpu ? "" : "gave another result without a word";
  if (code == 0) {
    if (!tells_of_hand_over(err)) return "has not one line about who went on but: " + err;
    return found == by_cpu ? "" : "gave another result than the CPU: " + err;
  }
  if (is_there) return "failed, and left a file: " + err;
  if (err.rfind("ionwell: ", 0) != 0 || err.find('\n') != err.size() - 1)
    return "has not one message but: " + err;
  const bool is_at_start = err.find("is not available") != err.npos ||
                           err.find("does not start") != err.npos || err.find("no kernels for") != err.npos ||
                           err.find("; use another one (--devices)") != err.npos;
  return hands_over && !is_at_start ? "did not hand its work over: " + err : "";
}

/// Lets each call fail in turn, alone or with all that follow: all of the first ones, then fewer and fewer,
/// and all of the last ones. The program writes the file `name`.
void check(const std::string& program, const std::string& words, bool with_all_later,
           const std::string& name = "out.pdb", bool hands_over = true) {
  TemporaryFolder results, logs;
  const std::string command = program + " " + words;
  const std::string output = " -o " + (results / name) + " --report " + results.path() + "/report.json > " +
                             (logs / "out") + " 2> " + (logs / "err");
  std::string by_cpu;
  if (hands_over) {
    std::string on_cpu = command;
    const std::string gpu = "--backend gpu";
    on_cpu.replace(on_cpu.find(gpu), gpu.size(), "--backend cpu");
    run(on_cpu + output);
    by_cpu = lasting_part(results / name);
  }
  run("IONWELL_CUDA_CALLS=" + (logs / "calls") + " " + command + output);
  const long calls = std::atol(read_text(logs / "calls").c_str());
  const std::string by_gpu = lasting_part(results / name);
  if (calls < 50 || by_gpu.empty())
    return fail(0, command, "makes only " + std::to_string(calls) + " calls: " + read_text(logs / "err"));
  int runs = 0, had_no_consequence = 0, handed_over = 0;
  for (long n = 1; n <= calls; n += calls - n < 20 ? 1 : 1 + n / 20, ++runs) {
    for (const std::string& entry : results.entries()) std::remove((results / entry).c_str());
    const int code =
        run("IONWELL_FAIL_CUDA_CALL=" + std::to_string(with_all_later ? -n : n) + " " + command + output);
    const std::string err = read_text(logs / "err");
    const std::string problem = problem_of(code, err, !results.entries().empty(),
                                           lasting_part(results / name), by_gpu, by_cpu, hands_over);
    if (!problem.empty()) fail(n, command, problem);
    had_no_consequence += code == 0 && err.empty();
    handed_over += code == 0 && !err.empty();
  }
  if (2 * had_no_consequence > runs)
    fail(0, command, std::to_string(had_no_consequence) + " failures had no consequence");
  if (hands_over && handed_over == 0) fail(0, command, "never handed its work over");
  std::cout << words << ": " << runs << " of " << calls << " calls failed in turn, " << handed_over
            << " times the CPU went on\n";
}

/// On a sphere that no atom comes near.
std::string points_around() {
  std::string text = "x,y,z\n";
  char line[96];
  constexpr double radius_A = 60.0;
  for (int n = 0; n < 300; ++n) {
    const double z = (2.0 * n + 1.0) / 300.0 - 1.0, r = std::sqrt(1.0 - z * z), around = 2.4 * n;
    std::snprintf(line, sizeof line, "%.3f,%.3f,%.3f\n", 20.0 + radius_A * r * std::cos(around),
                  radius_A * r * std::sin(around), radius_A * z);
    text += line;
  }
  return text;
}

constexpr const char* four_charges =
    "ATOM 1 C1 LIG A 1 0.0 0.0 0.0 1.0 1.5\n"
    "ATOM 2 C2 LIG A 1 3.0 0.0 0.0 -0.5 1.5\n"
    "ATOM 3 C3 LIG A 1 0.0 4.0 0.0 0.5 1.5\n"
    "ATOM 4 C4 LIG A 1 0.0 0.0 5.0 -1.0 1.5\n";

std::vector<std::vector<ionwell::Vec3<double>>> frames_of_four(int count) {
  std::vector<std::vector<ionwell::Vec3<double>>> frames;
  for (int n = 0; n < count; ++n) {
    const double shift = 0.125 * n;
    frames.push_back({{shift, 0, 0}, {3, shift, 0}, {0, 4, shift}, {0, -shift, 5}});
  }
  return frames;
}

}  // namespace

int main() {
  if (ionwell::gpu_backend().devices().devices.empty()) {
    std::cout << "skipped: " << ionwell::gpu_backend().devices().problem << '\n';
    const char* required = std::getenv("IONWELL_REQUIRE_GPU");
    return required != nullptr && *required != '\0' ? 1 : 77;
  }
  const std::string structure = std::string(IONWELL_SOURCE_DIR) + "/examples/nucleic_acid/duplex.pqr";
  const TemporaryFolder inputs;
  write_text(inputs / "points.csv", points_around());
  write_text(inputs / "run.dcd", ionwell::test::dcd_bytes(frames_of_four(5)));
  write_text(inputs / "four.pqr", four_charges);
  for (const bool with_all_later : {false, true}) {
    check(IONWELL_FAULTY_PROGRAM,
          "place " + structure + " --quiet --backend gpu --ion MG:4 --ion NA:neutralize --method direct",
          with_all_later);
    check(IONWELL_FAULTY_PROGRAM,
          "place " + structure + " --quiet --backend gpu --ion MG:4 --method msm --spacing 1",
          with_all_later);
    check(IONWELL_FAULTY_PROGRAM,
          "place " + structure + " --quiet --backend gpu --model sites --ion MG:4 --spacing 1",
          with_all_later);
    check(IONWELL_FAULTY_PROGRAM,
          "potential " + structure + " --at " + (inputs / "points.csv") + " --quiet --backend gpu --method " +
              (with_all_later ? "direct" : "msm"),
          with_all_later, "out.csv");
    check(IONWELL_FAULTY_PROGRAM,
          "average " + (inputs / "four.pqr") + " " + (inputs / "run.dcd") +
              " --quiet --backend gpu --method msm --spacing 1 --statistics mean,sd,se --blocks 2",
          with_all_later, "out.dx");
    check(IONWELL_FAULTY_PROGRAM,
          "sample " + structure +
              " --quiet --backend gpu --ion NA:neutralize --spacing 1 --equilibration 5 --sampler " +
              (with_all_later ? "mc --sweeps 20" : "bd --steps 200") + " --sample-every 2 --replicas 3",
          with_all_later);
    check(IONWELL_FAULTY_FORCES, "forces", with_all_later, "out.pdb", false);
    check(IONWELL_FAULTY_PROGRAM, "map " + structure + " --quiet --backend gpu --spacing 1", with_all_later,
          "out.dx");
    check(IONWELL_FAULTY_PROGRAM,
          "place " + structure + " --quiet --backend gpu --pb own --pb-every 1 --ion MG:2 --spacing 2",
          with_all_later);
  }
  std::cout << (failures == 0 ? "all passed\n" : std::to_string(failures) + " failed\n");
  return failures == 0 ? 0 : 1;
}
