#include "ionwell/program/command_list.hpp"

#include <array>

#include "ionwell/commands.hpp"

namespace ionwell {

std::span<const Command> all_commands() {
  static const std::array commands = {
      Command{"place", "put ions where their energy around a charged structure is lowest", place_command},
      Command{"solvate", "put a structure into a periodic cell of water", solvate_command},
      Command{"prepare", "charges, water, counter-ions and salt in one go, and files to simulate",
              prepare_command},
      Command{"map", "save the electrostatic potential around a structure", map_command},
      Command{"average", "the mean electrostatic potential over a trajectory", average_command},
      Command{"potential", "the electrostatic potential at points, or on a surface", potential_command},
      Command{"sample", "ions that move around a structure: Monte Carlo and Brownian dynamics",
              sample_command},
      Command{"convert", "write a potential map in another format or unit", convert_command},
      Command{"info", "what a structure or a map holds, and the lattice and memory a run needs",
              info_command},
      Command{"compare", "how near placed ions come to known sites", compare_command},
      Command{"completion", "what has a shell complete commands, options and files", completion_command},
  };
  return commands;
}

CommandDescription described(const Command& command) {
  CommandDescription description = describe(command.run);
  description.summary = command.summary;
  return description;
}

CommandDescription described_help() {
  CommandDescription help{
      .text = {.name = "help", .synopsis = "[--man|--json] [COMMAND]", .about = "", .examples = ""},
      .summary = "what a command takes",
      .headings = {{"Help",
                    {{.name = "man", .letter = "", .argument = "", .text = "as a manual page", .words = {}},
                     {.name = "json",
                      .letter = "",
                      .argument = "",
                      .text = "the options as a table in JSON, for programs",
                      .words = {}}}}},
      .words = {},
      .notes = ""};
  for (const Command& command : all_commands()) help.words.push_back(command.name);
  help.words.emplace_back("tune");
  help.words.emplace_back("chemistry");
  return help;
}

CommandDescription described_program() {
  return {
      .text = {.name = "",
               .synopsis = "COMMAND ... | help [--man|--json] [COMMAND]",
               .about =
                   "Puts ions around charged biomolecules: it computes the electrostatic potential on a "
                   "lattice around a structure, and gives each ion, one after the other, the point where "
                   "its energy is lowest. Each command has a manual page of its own.",
               .examples = "  ionwell place rna.pqr --ion MG:12 -o ions.pdb\n"
                           "      twelve Mg2+ around an RNA\n"
                           "  ionwell help --man place | man -l -\n"
                           "      the manual page of a command, where it is not installed\n"},
      .summary = "places ions around charged biomolecules",
      .headings =
          {{"Program",
            {{.name = "version", .letter = "", .argument = "", .text = "print the version", .words = {}}}}},
      .words = {},
      .notes = ""};
}

}  // namespace ionwell
