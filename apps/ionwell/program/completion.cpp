// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_line.hpp"
#include "cli/shell_completion.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/program/command_list.hpp"

namespace ionwell {

int completion_command(const std::vector<std::string>& words, std::ostream& out, const Backends&) {
  CommandLine line(
      {.name = "completion",
       .synopsis = "bash|zsh|fish",
       .about =
           "Prints a shell completion script for commands, options, their values, and file names. Packages "
           "install it; the examples are for a program that you built yourself. 'cionize --completion' does "
           "the same for cionize.",
       .examples = "  ionwell completion bash > ~/.local/share/bash-completion/completions/ionwell\n"
                   "      for bash with the package bash-completion; it works in new shells\n"
                   "  ionwell completion zsh > ~/.zfunc/_ionwell\n"
                   "      for zsh, with 'fpath+=~/.zfunc' before compinit in .zshrc\n"
                   "  ionwell completion fish > ~/.config/fish/completions/ionwell.fish\n"
                   "      for fish\n"});
  std::string shell;
  line.add_word("SHELL", shell, completed_shells());
  if (!line.parse(words, out)) return done;
  CompletedProgram program{.name = "ionwell", .commands = {}};
  for (const Command& command : all_commands()) program.commands.push_back(described(command));
  program.commands.push_back(described_help());
  print_completion(out, shell, program);
  return done;
}

}  // namespace ionwell
