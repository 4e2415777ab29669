// SPDX-License-Identifier: BSD-3-Clause
#include "programs/pdb2pqr.hpp"

#include <csignal>
#include <filesystem>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "programs/pdb2pqr_files.hpp"
#include "programs/scratch_folder.hpp"
#include "structures/pdb/pqr_reader.hpp"

namespace ionwell {
namespace {

std::string path_of_program(const Pdb2pqrOptions& options) {
  for (const std::string& name : options.program.empty() ? std::vector<std::string>{"pdb2pqr30", "pdb2pqr"}
                                                         : std::vector<std::string>{options.program})
    if (const std::string path = find_program(name); !path.empty())
      return std::filesystem::absolute(path).string();
  fail("there is no program ", options.program.empty() ? "pdb2pqr30 or pdb2pqr" : options.program,
       " to assign charges; on Debian and Ubuntu install the package pdb2pqr (elsewhere: pip install "
       "pdb2pqr), or give a structure that has charges: PQR, or a topology of AMBER, CHARMM or GROMACS with "
       "coordinates");
}

std::string printed_text(const std::string& path) {
  try {
    return std::string(read_input_file(path).text());
  } catch (const Error&) {
    return {};  // nothing was written
  }
}

/// The first line that speaks of what went wrong, or the last one of all.
std::string last_words(std::string_view printed) {
  std::string_view result;
  LineScanner lines(printed);
  for (std::string_view line; lines.next(line);)
    if (!trim(line).empty())
      if (result = trim(line); result.starts_with("CRITICAL")) break;
  return result.empty() ? std::string() : "; its last output: " + quote(result);
}

/// "PDB2PQR v3.5.2", from "INFO:PDB2PQR v3.5.2: biomolecular structure conversion software."
std::string version_in(std::string_view printed) {
  constexpr std::string_view name = "PDB2PQR v";
  const std::size_t at = printed.find(name);
  if (at == printed.npos) return "PDB2PQR";
  printed.remove_prefix(at);
  return std::string(printed.substr(0, printed.find_first_of(": \n", name.size())));
}

}  // namespace

std::string_view to_string(ChargeForceField force_field) {
  constexpr std::string_view names[] = {"AMBER", "CHARMM", "PARSE", "TYL06", "PEOEPB", "SWANSON"};
  return names[std::size_t(force_field)];
}

ChargedStructure assign_charges(const Structure& structure, const Pdb2pqrOptions& options,
                                const SignalNotes& notes,
                                const std::function<void(double seconds)>& progress) {
  const Pdb2pqrInput input = pdb2pqr_input(structure);
  if (input.pdb_texts.empty()) return {charged_structure(structure, input, {}, {}, options.losses), {}};
  const std::string program = path_of_program(options);
  remove_left_scratch();
  const std::optional<std::string> kept =
      options.keep_scratch ? std::optional(make_kept_folder(*options.keep_scratch)) : std::nullopt;
  const ScratchFolder folder(kept);
  const std::vector<std::string> arguments = {"--ff=" + std::string(to_string(options.force_field)),
                                              "--keep-chain", "--whitespace"};
  const std::string look = kept ? "; see its files in " + *kept : "; --keep-pdb2pqr DIR keeps its files";
  std::vector<Structure> outputs;
  std::vector<MissingAtom> built;
  std::string version;
  double before_s = 0.0;
  for (std::size_t file = 0; file < input.pdb_texts.size(); ++file) {
    const std::string stem = "solute" + std::to_string(file + 1);
    const std::string pqr = folder / (stem + ".pqr"), output = folder / (stem + ".out");
    write_file(folder / (stem + ".pdb"), input.pdb_texts[file]);
    std::vector<std::string> words = {program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), {stem + ".pdb", stem + ".pqr"});
    const ChildResult result = run_child(words,
                                         {.folder = folder.path(),
                                          .removes_folder = !kept,
                                          .output_path = output,
                                          .timeout_s = options.timeout_s},
                                         notes, [&](double seconds) { progress(before_s + seconds); });
    before_s += result.seconds;
    const std::string printed = printed_text(output);
    const std::vector<MissingAtom> missing = missing_atoms(printed, input, file);
    const std::string which = structure.path + ": PDB2PQR (" + program + ") ";
    if (result.timed_out)
      fail(which, "was stopped after ", options.timeout_s, " s", last_words(printed), look);
    if (result.signal != 0)
      fail(which, "was killed by signal ", result.signal,
           result.signal == SIGKILL ? ", perhaps because of too little memory" : "", last_words(printed),
           look);
    if (result.exit_code != 0 || !std::filesystem::exists(pqr))
      fail(which, "failed with exit code ", result.exit_code, last_words(printed),
           missing.empty() ? ""
                           : "; the file lacks " + list_of(missing, structure, input) +
                                 ": build them first, for example with PDBFixer",
           options.force_field == ChargeForceField::amber ? "" : "; the force field AMBER has more residues",
           look);
    built.insert(built.end(), missing.begin(), missing.end());
    version = version_in(printed);
    const std::string text = printed_text(pqr);
    const bool has_atoms = text.starts_with("ATOM") || text.find("\nATOM") != text.npos;
    outputs.push_back(has_atoms ? read_pqr(text, pqr) : Structure{});
  }
  ChargedStructure charged{charged_structure(structure, input, outputs, built, options.losses), {}};
  for (const MissingAtom& atom : built)
    charged.built.push_back({input.residues[atom.residue].begin, atom.name});
  charged.note = structure.path + ": charges and radii come from " + version + " (" + program;
  for (const std::string& argument : arguments) charged.note += ' ' + argument;
  charged.note += ')';
  if (kept != options.keep_scratch)
    charged.structure.warnings.push_back(
        note("--keep-pdb2pqr: " + *options.keep_scratch +
             " already contains files, which ionwell does not touch; those of PDB2PQR are in " + *kept));
  return charged;
}

}  // namespace ionwell
