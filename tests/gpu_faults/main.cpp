// A GPU that fails half-way: runs a copy of the program, and one that computes forces, in which call n of
// CUDA's runtime fails, for n = 1, 2, 3 ... Every run must end with exit code 1, one message and no file; or
// as if nothing had been, where the failure met only what is tried again, as the start ahead of time is.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "gpu/gpu_field.hpp"
#include "support/temporary_folder.hpp"

namespace {

using ionwell::test::read_text;
using ionwell::test::TemporaryFolder;

int failures = 0;

void fail(long call, const std::string& command, const std::string& what) {
  ++failures;
  std::cout << "call " << call << " of: " << command << "\n  " << what << '\n';
}

/// The exit code, or 128 and the signal's number.
int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Lets each call fail in turn, alone or with all that follow: all of the first ones, then fewer and fewer,
/// and all of the last ones.
void check(const std::string& program, const std::string& words, bool with_all_later) {
  TemporaryFolder results, logs;
  const std::string command = program + " " + words;
  const std::string output = " -o " + results.path() + "/out.pdb --report " + results.path() +
                             "/report.json > " + (logs / "out") + " 2> " + (logs / "err");
  run("IONWELL_CUDA_CALLS=" + (logs / "calls") + " " + command + output);
  const long calls = std::atol(read_text(logs / "calls").c_str());
  const std::string ions = read_text(results / "out.pdb");
  if (calls < 50 || ions.empty())
    return fail(0, command, "makes only " + std::to_string(calls) + " calls: " + read_text(logs / "err"));
  int runs = 0, all_right = 0;
  for (long n = 1; n <= calls; n += calls - n < 20 ? 1 : 1 + n / 20, ++runs) {
    for (const std::string& name : results.entries()) std::remove((results / name).c_str());
    const int code =
        run("IONWELL_FAIL_CUDA_CALL=" + std::to_string(with_all_later ? -n : n) + " " + command + output);
    const std::string err = read_text(logs / "err");
    if (code > 1) fail(n, command, "ended with " + std::to_string(code) + ": " + err);
    if (code == 0 && (read_text(results / "out.pdb") != ions || !err.empty()))
      fail(n, command, "ended without an error, but not as without the failure: " + err);
    all_right += code == 0;
    if (code == 1 && !results.entries().empty()) fail(n, command, "left " + results.entries().front());
    if (code == 1 && (err.rfind("ionwell: ", 0) != 0 || err.find('\n') != err.size() - 1))
      fail(n, command, "has not one message but: " + err);
  }
  if (2 * all_right > runs) fail(0, command, std::to_string(all_right) + " failures had no consequence");
  std::cout << words << ": " << runs << " of " << calls << " calls failed in turn\n";
}

}  // namespace

int main() {
  if (ionwell::gpu_devices().devices.empty()) {
    std::cout << "skipped: " << ionwell::gpu_devices().problem << '\n';
    const char* required = std::getenv("IONWELL_REQUIRE_GPU");
    return required != nullptr && *required != '\0' ? 1 : 77;
  }
  const std::string structure = std::string(IONWELL_SOURCE_DIR) + "/examples/nucleic_acid/duplex.pqr";
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
    check(IONWELL_FAULTY_FORCES, "forces", with_all_later);
  }
  std::cout << (failures == 0 ? "all passed\n" : std::to_string(failures) + " failed\n");
  return failures == 0 ? 0 : 1;
}
