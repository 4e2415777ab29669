// SPDX-License-Identifier: BSD-3-Clause
#include "programs/gromacs.hpp"

#include <csignal>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "files/input_file.hpp"
#include "programs/gromacs_program.hpp"
#include "programs/scratch_folder.hpp"
#include "structures/gromacs/tpr_dump.hpp"

namespace ionwell {
namespace {

/// Its notes and warnings, one line each.
std::vector<std::string> complaints(std::string_view output, const std::string& path) {
  std::vector<std::string> result;
  LineScanner lines(output);
  for (std::string_view line; lines.next(line);)
    if (const std::string lower = lower_case(trim(line));
        lower.starts_with("warning") || lower.starts_with("note"))
      result.push_back(path + ": gmx dump reports " + quote(trim(line)));
  return result;
}

/// What is in a file that may have been left empty.
std::string text_of(const std::string& path) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) == 0 || error) return {};
  return std::string(read_input_file(path).text());
}

}  // namespace

Structure read_tpr(const std::string& path, const GromacsOptions& options, const SignalNotes& notes) {
  const std::string program = gromacs_program(options.program, "to read .tpr files",
                                              "or give the topology (.top) and coordinates instead");
  remove_left_scratch();
  const ScratchFolder folder({});
  // The shell keeps what gmx prints apart from what it complains of, which would end up in the middle of
  // lines.
  const std::string script = "exec \"$0\" -quiet dump -s \"$1\" > dump.txt 2> complaints.txt";
  const ChildResult result =
      run_child({"/bin/sh", "-c", script, program, std::filesystem::absolute(path).string()},
                {.folder = folder.path(),
                 .removes_folder = true,
                 .output_path = folder / "shell.txt",
                 .environment = {"OMP_NUM_THREADS=1"},
                 .timeout_s = options.timeout_s},
                notes, [](double) {});
  const std::string complained = text_of(folder / "complaints.txt");
  const std::string which = path + ": GROMACS (" + program + " dump) ";
  const char* const way_out =
      "; make the file with this version or an older one, or give the topology (.top) and "
      "coordinates instead";
  if (result.timed_out)
    fail(which, "was stopped after ", options.timeout_s, " s", gromacs_last_words(complained), way_out);
  if (result.signal != 0)
    fail(which, "was killed by signal ", result.signal,
         result.signal == SIGKILL ? ", perhaps because of too little memory" : "",
         gromacs_last_words(complained), way_out);
  if (result.exit_code != 0)
    fail(which, "failed with exit code ", result.exit_code, gromacs_last_words(complained), way_out);
  const FileBytes dump = read_input_file(folder / "dump.txt");
  Structure structure = read_tpr_dump(dump.text(), path);
  for (std::string& complaint : complaints(complained, path))
    structure.warnings.push_back(std::move(complaint));
  return structure;
}

}  // namespace ionwell
