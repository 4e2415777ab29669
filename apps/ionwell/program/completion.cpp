#include "cli/command_line.hpp"
#include "cli/shell_completion.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/program/command_list.hpp"

namespace ionwell {

int completion_command(const std::vector<std::string>& words, std::ostream& out) {
  CommandLine line(
      {.name = "completion",
       .synopsis = "bash|zsh|fish",
       .about =
           "Prints a script that has the shell complete commands, options, the words that options take, and "
           "the names of files. Packages install it; the examples are for a program that was built by hand. "
           "'cionize --completion' does the same for that program.",
       .examples = "  ionwell completion bash > ~/.local/share/bash-completion/completions/ionwell\n"
                   "      for bash with its package bash-completion, from the next shell on\n"
                   "  ionwell completion zsh > ~/.zfunc/_ionwell\n"
                   "      for zsh, where 'fpath+=~/.zfunc' stands before compinit in .zshrc\n"
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
