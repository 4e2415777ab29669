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
           "Places ions around a charged structure as a script says, in the language of the program that "
           "VMD's "
           "'cionize' runs, by the means of 'ionwell place'. The script comes from a file (-i) or from "
           "standard "
           "input; on a terminal each command is done as it is typed. A script is checked in full before "
           "anything is computed, and what is wrong with it ends the run with its line. STRUCTURE is a PQR, "
           "mol2 or GROMACS .tpr file, or a PDB or mmCIF file (PDB2PQR gives it charges), also gzipped.",
       .examples = "  cionize -p 8 -i rna.in rna.pqr\n"
                   "      what the script says, with eight threads\n"
                   "  cionize -m multigrid rna.pqr\n"
                   "      commands from the terminal, which has the prompt >>>\n",
       .program = "cionize"});
  line.add_file("STRUCTURE", arguments.structure);
  std::string mode = "standard";
  OptionGroup& options = line.group("Options");
  options.add("processors,p", arguments.processors, "N", "threads to compute with, all there are");
  options.add("input,i", arguments.script, "SCRIPT", "read commands from this file, - for standard input");
  options.add(
      "mode,m", mode, "MODE",
      "standard, the faster sum (ionwell place --method auto); single or double, the direct sum "
      "(--method direct); multigrid, multilevel summation (--method msm); ddd, a dielectric of k r "
      "(--ddd k), k of the command DDD or 3. Of these only ddd changes the ions: double-precision sums "
      "decide where they go, in each of them");
  options.add("format,f", arguments.format, "FORMAT",
              "what STRUCTURE is: pqr, pdb, cif, mol2, tpr (default what its content says)");
  OptionGroup& beyond = line.group("Beyond the original");
  add_backend_options(beyond, beyond, arguments.backend, Computed::ions);
  line.add_rules(backend_rules());
  if (!line.parse(words, out)) {
    constexpr std::size_t widest = 100;  // as the lines above it
    const std::size_t columns = std::min(output_columns(), widest);
    out << '\n'
        << wrapped(
               "A script has one command a line, in any case; a line that begins with # is a comment, and a "
               "file "
               "name with blanks stands in quotation marks. Warnings are on standard output: for VMD a "
               "program "
               "that writes to standard error has failed. 'cionize --man' prints this as a manual page, "
               "'cionize --completion SHELL' what has bash, zsh or fish complete its options.",
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
