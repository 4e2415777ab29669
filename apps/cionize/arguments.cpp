// SPDX-License-Identifier: BSD-3-Clause
#include "cionize/arguments.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cionize/script.hpp"
#include "cli/command_rules.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

namespace ionwell::cionize {
namespace {

constexpr std::array<std::pair<std::string_view, Mode>, 5> mode_words = {{{"standard", Mode::standard},
                                                                          {"single", Mode::single_precision},
                                                                          {"double", Mode::double_precision},
                                                                          {"ddd", Mode::ddd},
                                                                          {"multigrid", Mode::multigrid}}};

Mode mode_of(const std::string& word) {
  for (const auto& [known, mode] : mode_words)
    if (word == known) return mode;
  fail<UsageError>("-m is '", word, "'; it must be standard, single, double, ddd or multigrid");
}

/// The formats that one file can be of.
void check_format(const std::string& word) {
  constexpr std::array known = {"", "pqr", "pdb", "cif", "mol2", "tpr"};
  if (std::find(known.begin(), known.end(), word) == known.end())
    fail<UsageError>("-f is '", word, "'; it must be pqr, pdb, cif, mol2 or tpr");
}

}  // namespace

bool parse_arguments(const std::vector<std::string>& words, Arguments& arguments, std::ostream& out) {
  if (words.size() == 1 && words.front() == "--version") {
    out << "cionize (ionwell " << version() << ")\n";
    return false;
  }
  CommandLine line(
      {.name = "",
       .synopsis = "[-p PROCESSORS] [-i SCRIPT] [-m MODE] [-f FORMAT] STRUCTURE",
       .about =
           "Places ions around a charged structure with a script in the language of VMD's 'cionize', "
           "computed "
           "by 'ionwell place'. The script comes from a file (-i) or from standard input; on a terminal each "
           "command runs when it is typed. cionize checks the whole script before it computes anything, and "
           "an error in the script ends the run with its line number. STRUCTURE is a PQR, mol2 or GROMACS "
           ".tpr file, or a PDB or mmCIF file (PDB2PQR assigns its charges), also gzipped.",
       .examples = "  cionize -p 8 -i rna.in rna.pqr\n"
                   "      run the script with eight threads\n"
                   "  cionize -m multigrid rna.pqr\n"
                   "      read commands from the terminal, at the prompt >>>\n",
       .program = "cionize"});
  line.add_file("STRUCTURE", arguments.structure);
  std::string mode = "standard";
  OptionGroup& options = line.group("Options");
  options.add("processors,p", arguments.processors, "N", "number of threads; 0: one for each core");
  options.add("input,i", arguments.script, "SCRIPT", "read commands from this file; - is standard input",
              Default{"standard input"});
  options.add(
      "mode,m", mode, "MODE",
      "summation: standard, the faster sum (ionwell place --method auto); single or double, the direct sum "
      "(--method direct); multigrid, multilevel summation (--method msm); ddd, a dielectric of k times the "
      "distance (--ddd k), with k from the command DDD or 3. Only ddd changes the positions of the ions, "
      "because double-precision sums decide in each mode");
  options.add("format,f", arguments.format, "FORMAT", "format of STRUCTURE: pqr, pdb, cif, mol2, tpr",
              Default{"detected from its content"});
  OptionGroup& beyond = line.group("Additional options");
  add_backend_options(beyond, beyond, arguments.backend, Computed::ions);
  line.add_rules(backend_rules());
  if (!line.parse(words, out)) {
    constexpr std::size_t widest = 100;  // as the lines above it
    const std::size_t columns = std::min(output_columns(), widest);
    out << '\n'
        << wrapped(
               "A script has one command on each line, in upper or lower case. A line that begins with # is "
               "a "
               "comment, and a file name with blanks needs quotation marks. Warnings go to standard output, "
               "because VMD treats a program that writes to standard error as failed. 'cionize --man' prints "
               "the manual page, and 'cionize --completion SHELL' a completion script for bash, zsh or fish.",
               {.columns = columns})
        << "\n\n";
    print_keywords(out, columns);
    return false;
  }
  arguments.mode = mode_of(mode);
  check_format(arguments.format);
  if (arguments.processors < 0)
    fail<UsageError>("-p is ", arguments.processors, "; it must be 1 or more, or 0 for as many as there are");
  backend_options(arguments.backend);
  return true;
}

}  // namespace ionwell::cionize
