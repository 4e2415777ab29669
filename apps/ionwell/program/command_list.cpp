// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/program/command_list.hpp"

#include <array>

#include "ionwell/commands.hpp"

namespace ionwell {

std::span<const Command> all_commands() {
  static const std::array commands = {
      Command{"place", "place ions where their energy around a charged structure is lowest", place_command},
      Command{"solvate", "put a structure into a periodic cell of water", solvate_command},
      Command{"prepare", "add charges, water, ions and salt, and write the input of a simulation",
              prepare_command},
      Command{"map", "write the electrostatic potential around a structure", map_command},
      Command{"average", "write the mean electrostatic potential of a trajectory", average_command},
      Command{"potential", "compute the electrostatic potential at points or on a surface",
              potential_command},
      Command{"sample", "sample moving ions by Monte Carlo or Brownian dynamics", sample_command},
      Command{"convert", "write a potential map or a structure in another format", convert_command},
      Command{"info", "show what a structure or a map contains, and what a run would need", info_command},
      Command{"compare", "compare placed ions with known sites", compare_command},
      Command{"completion", "print a shell completion script", completion_command},
  };
  return commands;
}

CommandDescription described(const Command& command) {
  CommandDescription description = describe(
      [&](const std::vector<std::string>& help, std::ostream& notes) { command.run(help, notes, {}); });
  description.summary = command.summary;
  return description;
}

CommandDescription described_help() {
  CommandDescription help{
      .text = {.name = "help", .synopsis = "[--man|--json] [COMMAND]", .about = "", .examples = ""},
      .summary = "describe a command",
      .headings = {{"Help",
                    {{.name = "man",
                      .letter = "",
                      .argument = "",
                      .text = "print the manual page",
                      .words = {},
                      .is_action = true},
                     {.name = "json",
                      .letter = "",
                      .argument = "",
                      .text = "print the options as a table in JSON, for programs",
                      .words = {},
                      .is_action = true}}}},
      .words = {},
      .notes = ""};
  for (const Command& command : all_commands()) help.words.push_back(command.name);
  help.words.emplace_back("tune");
  help.words.emplace_back("chemistry");
  return help;
}

CommandDescription described_program() {
  return {
      .text =
          {.name = "",
           .synopsis = "COMMAND ... | help [--man|--json] [COMMAND]",
           .about =
               "Places ions around charged biomolecules. ionwell computes the electrostatic potential on a "
               "lattice around a structure and places ions one at a time, each at the point where its "
               "energy is lowest. Each command has its own manual page.",
           .examples = "  ionwell place rna.pqr --ion MG:12 -o ions.pdb\n"
                       "      twelve Mg2+ around an RNA\n"
                       "  ionwell help --man place | man -l -\n"
                       "      the manual page of a command if it is not installed\n"},
      .summary = "places ions around charged biomolecules",
      .headings = {{"Program",
                    {{.name = "version",
                      .letter = "",
                      .argument = "",
                      .text = "print the version",
                      .words = {},
                      .is_action = true}}}},
      .words = {},
      .notes = ""};
}

}  // namespace ionwell
