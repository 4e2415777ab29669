// SPDX-License-Identifier: BSD-3-Clause
#include "programs/pdb2gmx.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "programs/gromacs_program.hpp"

namespace ionwell {
namespace {

/// Takes out of a topology who made it, when and where: the same input gives the same bytes.
void drop_run_notes(const std::string& path) {
  constexpr std::string_view notes[] = {";\tBy user:", ";\tOn host:", ";\tAt date:", ";\tWorking dir:"};
  const FileBytes bytes = read_input_file(path);
  const std::string_view all = bytes.text();
  std::string kept;
  kept.reserve(all.size());
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size() - 1) + 1;
    const std::string_view line = all.substr(begin, end - begin);
    if (std::none_of(std::begin(notes), std::end(notes),
                     [&](std::string_view note) { return line.starts_with(note); }))
      kept += line;
    begin = end;
  }
  write_file(path, kept);
}

}  // namespace

void run_pdb2gmx(const std::string& folder, const Pdb2gmxOptions& options, const SignalNotes& notes,
                 const std::function<void(double seconds)>& progress) {
  const char* const other_way =
      "or make a topology (.top) with coordinates elsewhere and give them instead of the entry";
  const std::string program = gromacs_program({}, "to make a GROMACS topology", other_way);
  const std::string printed = folder + "/pdb2gmx.txt";
  const ChildResult result =
      run_child({program, "-quiet", "pdb2gmx", "-f", "input.pdb", "-o", "conf.pdb", "-p", "topol.top", "-i",
                 "posre.itp", "-ff", options.force_field, "-water", options.water, "-chainsep", "ter",
                 "-merge", options.merges_chains ? "all" : "no"},
                {.folder = folder,
                 .removes_folder = true,
                 .output_path = printed,
                 .environment = {"OMP_NUM_THREADS=1"},
                 .timeout_s = options.timeout_s},
                notes, progress);
  if (!result.timed_out && result.signal == 0 && result.exit_code == 0) {
    for (const auto& file : std::filesystem::directory_iterator(folder))
      if (const auto ending = file.path().extension(); ending == ".top" || ending == ".itp")
        drop_run_notes(file.path().string());
    return;
  }
  const FileBytes output = read_input_file(printed);
  if (!result.timed_out && output.text().find("Could not find force field") != std::string_view::npos)
    fail<UsageError>("--force-field ", options.force_field, ": GROMACS (", program,
                     ") does not have this force field, and neither does GMXLIB; GROMACS of Debian and "
                     "Ubuntu has amber94, amber96, amber99, amber99sb, amber99sb-ildn, amber03, amberGS and "
                     "charmm27, but none with OL3, OL15 or CHARMM36");
  const std::string said = gromacs_last_words(output.text());
  const std::string which = "GROMACS (" + program + " pdb2gmx -ff " + options.force_field + ") ";
  if (result.timed_out) fail(which, "was stopped after ", options.timeout_s, " s", said);
  if (result.signal != 0) fail(which, "was killed by signal ", result.signal, said);
  fail(which, "failed with exit code ", result.exit_code, said, "; ", other_way);
}

}  // namespace ionwell
