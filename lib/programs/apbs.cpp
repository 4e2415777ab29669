// SPDX-License-Identifier: BSD-3-Clause
#include "programs/apbs.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "maps/map_file.hpp"
#include "programs/scratch_folder.hpp"

namespace ionwell {
namespace {

constexpr const char* stem = "pot";

/// Whether a line speaks of an error, as the words before a program's last often do.
bool is_complaint(std::string_view text) {
  const std::string line = lower_case(text);
  if (line.starts_with("asc_gettoken")) return false;  // APBS says that of every input file
  for (const char* const word : {"error", "unrecognized", "assert", "unable", "cannot", "fail", "invalid"})
    if (line.find(word) != line.npos) return true;
  return false;
}

/// What a program's output says of the error: the first line that speaks of one, or else the last line that
/// says something.
std::string last_words(const std::string& path) {
  std::string result;
  try {
    const FileBytes bytes = read_input_file(path);
    LineScanner lines(bytes.text());
    for (std::string_view line; lines.next(line);)
      if (const std::string_view text = trim(line);
          !text.empty() && text.find_first_not_of("-=") != text.npos)
        if (result = text; is_complaint(text)) break;
  } catch (const Error&) {
    return {};  // nothing was written
  }
  return result.empty() ? result : "; its last output: " + quote(result);
}

/// What APBS wrote: the name we gave, or with -PE0, as builds with MPI write.
std::string written_map(const ScratchFolder& folder) {
  for (const char* const ending : {".dxbin", "-PE0.dxbin", ".dx", "-PE0.dx"})
    if (std::string path = folder / (std::string(stem) + ending); std::filesystem::exists(path)) return path;
  return {};
}

/// A solve must not find the map of the one before, in a folder that is kept.
void remove_old(const ScratchFolder& folder) {
  for (std::string path = written_map(folder); !path.empty(); path = written_map(folder))
    if (std::error_code error; !std::filesystem::remove(path, error))
      fail("cannot remove ", path, ": ", error.message(), "; choose another folder for --tune keep-scratch");
}

}  // namespace

void validate(const ApbsOptions& options) {
  if (!(options.timeout_s >= 0.0))
    fail<UsageError>("--tune pb-timeout is ", options.timeout_s, " s; it must not be negative");
}

Apbs::Apbs(const ApbsOptions& options) : options_(options) {
  program_ = find_program(options.program);
  if (program_.empty())
    fail("there is no program ", options.program,
         " to solve the Poisson-Boltzmann equation; on Debian and Ubuntu install the package apbs, or give "
         "its path with --tune pb-program=FILE");
  program_ = std::filesystem::absolute(program_).string();
  remove_left_scratch();
}

std::vector<std::string> Apbs::warnings() const {
  if (!options_.keep_scratch || !has_files(*options_.keep_scratch)) return {};
  return {
      note("--tune keep-scratch: " + *options_.keep_scratch +
           " already contains files, which ionwell does not touch; the files of APBS go to a new subfolder")};
}

Map Apbs::solve(const ApbsCalculation& calculation, std::span<const Atom> atoms, const std::string& name,
                int threads, const SignalNotes& notes, const std::function<void(double)>& progress) {
  const double expected_s = solve_s_.value_or(apbs_seconds(calculation.fine));
  if (options_.keep_scratch && !kept_) kept_ = make_kept_folder(*options_.keep_scratch);
  const ScratchFolder folder(kept_);
  remove_old(folder);
  write_file(folder / "solute.pqr", apbs_pqr(atoms));
  write_file(folder / "apbs.in", apbs_input(calculation, "solute.pqr", stem));
  const std::string output = folder / "apbs.out";
  const ChildResult result = run_child(
      {program_, "apbs.in"},
      {.folder = folder.path(),
       .removes_folder = !kept_,
       .output_path = output,
       // Measured with 3.4.1 on two busy cores, 65^3 points: 5.2 s with threads that spin, 1.0 s with these.
       .environment = {"OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=" + std::to_string(threads)},
       .timeout_s = options_.timeout_s},
      notes, [&](double seconds) {
        constexpr double almost = 0.99;
        progress(std::min(almost, seconds / expected_s));
      });
  const std::string which = "APBS (" + program_ + "), " + name + ", ";
  const std::string look =
      kept_ ? "; see apbs.in and apbs.out in " + *kept_ : "; --tune keep-scratch=DIR keeps its files";
  if (result.timed_out)
    fail(which, "was stopped after ", options_.timeout_s, " s (--tune pb-timeout)", last_words(output), look);
  if (result.signal != 0)
    fail(which, "was killed by signal ", result.signal,
         result.signal == SIGKILL ? ", perhaps because of too little memory" : "", last_words(output), look);
  if (result.exit_code != 0)
    fail(which, "failed with exit code ", result.exit_code, last_words(output), look);
  const std::string path = written_map(folder);
  if (path.empty()) fail(which, "finished without an error, but wrote no map", last_words(output), look);
  solve_s_ = std::max(result.seconds, 1e-3);
  Map map;
  try {
    map = read_map(path, threads);
  } catch (const Error& error) {
    fail(which, "wrote an incomplete map; is the disk full? ", error.what(), look);
  }
  if (!map.unit) map.unit = MapUnit::kT_e;  // APBS's
  convert_unit(map, MapUnit::kT_e, calculation.temperature_K);
  return map;
}

}  // namespace ionwell
