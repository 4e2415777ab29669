// SPDX-License-Identifier: BSD-3-Clause
#include "cli/shell_completion.hpp"

#include <algorithm>
#include <string_view>

#include "core/error.hpp"
#include "core/text/quoting.hpp"

namespace ionwell {
namespace {

/// What stands behind an option.
enum class Operand { none, word, file, folder, other };

Operand operand_of(const OptionDescription& option) {
  if (option.argument.empty()) return Operand::none;
  if (!option.words.empty()) return Operand::word;
  if (option.argument == "DIR") return Operand::folder;
  const auto has = [&](std::string_view part) { return option.argument.find(part) != std::string::npos; };
  for (const char* const named : {"FILE", "POINTS", "SCRIPT", "STRUCTURE"})
    if (has(named)) return Operand::file;
  return Operand::other;
}

std::string with_blanks(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The text with each of `signs` behind a backslash.
std::string with_backslashes(std::string_view text, std::string_view signs) {
  std::string escaped;
  for (const char c : text) {
    if (signs.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// The beginning of what help says, short enough for a list.
std::string in_short(const std::string& text) {
  std::size_t end = text.size();
  for (const char* const sign : {"; ", ": ", " ("}) end = std::min(end, text.find(sign));
  return text.substr(0, end);
}

/// "msm-cutoff=", "msm-basis=cubic", "no-refine": what may stand behind --tune.
std::vector<std::string> settings_of(const OptionDescription& key) {
  if (key.argument.empty()) return {key.name};
  if (key.words.empty()) return {key.name + '='};
  std::vector<std::string> settings;
  for (const std::string& word : key.words) settings.push_back(key.name + '=' + word);
  return settings;
}

/// The options of a command; the words of --tune are the settings of its keys.
std::vector<OptionDescription> completed_options(const CommandDescription& command) {
  std::vector<OptionDescription> options = options_of(command);
  for (OptionDescription& option : options)
    if (option.name == "tune")
      for (const OptionDescription& key : command.tuning)
        for (std::string& setting : settings_of(key)) option.words.push_back(std::move(setting));
  return options;
}

std::vector<std::string> spellings(const OptionDescription& option) {
  std::vector<std::string> all = {"--" + option.name};
  if (!option.letter.empty()) all.insert(all.begin(), '-' + option.letter);
  return all;
}

std::vector<std::string> names_of_commands(const CompletedProgram& program) {
  std::vector<std::string> names;
  for (const CommandDescription& command : program.commands) names.push_back(command.text.name);
  return names;
}

bool is_one_command(const CompletedProgram& program) {
  return program.commands.size() == 1 && program.commands.front().text.name.empty();
}

// bash ------------------------------------------------------------------------------------------------------

/// The patterns of a case, for the options with this operand.
std::string bash_patterns(const std::vector<OptionDescription>& options, Operand operand) {
  std::string patterns;
  for (const OptionDescription& option : options)
    if (operand_of(option) == operand)
      for (const std::string& spelling : spellings(option))
        patterns += (patterns.empty() ? "" : " | ") + spelling;
  return patterns;
}

/// Sets what may come next, in one command.
void print_bash_command(std::ostream& out, const CommandDescription& command, const std::string& indent) {
  const std::vector<OptionDescription> options = completed_options(command);
  std::vector<std::string> all;
  for (const OptionDescription& option : options)
    for (const std::string& spelling : spellings(option)) all.push_back(spelling);
  out << indent << "options='" << with_blanks(all) << "'\n";
  if (!command.words.empty()) out << indent << "kind=words words='" << with_blanks(command.words) << "'\n";
  out << indent << "case $previous in\n";
  for (const OptionDescription& option : options)
    if (operand_of(option) == Operand::word)
      for (const std::string& spelling : spellings(option))
        out << indent << "  " << spelling << ") kind=words words='" << with_blanks(option.words)
            << "' options='' ;;\n";
  for (const OptionDescription& key : command.tuning) {  // bash breaks KEY=VALUE at the sign
    const Operand operand = operand_of(key);
    if (operand == Operand::none) continue;
    const char* const kind = operand == Operand::word     ? "words"
                             : operand == Operand::file   ? "files"
                             : operand == Operand::folder ? "folders"
                                                          : "nothing";
    out << indent << "  '--tune " << key.name << "') kind=" << kind << " words='" << with_blanks(key.words)
        << "' options='' ;;\n";
  }
  for (const auto& [operand, kind] :
       {std::pair{Operand::file, "files"}, std::pair{Operand::folder, "folders"},
        std::pair{Operand::other, "nothing"}})
    if (const std::string patterns = bash_patterns(options, operand); !patterns.empty())
      out << indent << "  " << patterns << ") kind=" << kind << " options='' ;;\n";
  out << indent << "esac\n";
}

constexpr const char* bash_beginning = R"(() {
  local current=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) previous options='' kind=files words=''
  if [[ $current == '=' ]]; then  # --option=
    current=''
  elif [[ ${COMP_WORDS[at]} == '=' ]]; then
    ((at--))
  fi
  previous=${COMP_WORDS[at]}
  if ((at < COMP_CWORD - 1)) || [[ ${COMP_WORDS[COMP_CWORD]} == '=' ]]; then  # --tune KEY=, --tune=KEY=
    local before=${COMP_WORDS[at - 1]}
    if [[ $before == '=' ]]; then before=${COMP_WORDS[at - 2]}; fi
    if [[ $before == --tune ]]; then previous="--tune $previous"; fi
  fi
)";

constexpr const char* bash_end = R"(  COMPREPLY=()
  if [[ $current == -* && -n $options ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    return
  fi
  case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    files) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
  esac
  if [[ $kind == files || $kind == folders ]]; then compopt -o filenames 2>/dev/null; fi
  if [[ $kind == words && ${COMPREPLY[*]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
)";

void print_bash(std::ostream& out, const CompletedProgram& program) {
  out << "# bash completion of " << program.name << "\n_" << program.name << bash_beginning;
  if (is_one_command(program)) {
    print_bash_command(out, program.commands.front(), "  ");
  } else {
    out << "  if ((COMP_CWORD == 1)); then\n    kind=words words='" << with_blanks(names_of_commands(program))
        << "' options='--help --help-all --version'\n  else\n    case ${COMP_WORDS[1]} in\n";
    for (const CommandDescription& command : program.commands) {
      out << "      " << command.text.name << ")\n";
      print_bash_command(out, command, "        ");
      out << "        ;;\n";
    }
    out << "    esac\n  fi\n";
  }
  out << bash_end << "complete -F _" << program.name << ' ' << program.name << '\n';
}

// zsh -------------------------------------------------------------------------------------------------------

/// The part of a specification of _arguments that says what stands behind an option.
std::string zsh_operand(const OptionDescription& option) {
  const std::string name = ':' + with_backslashes(option.argument, "\\:") + ':';
  if (option.name == "tune" && !option.words.empty())  // a value may follow
    return name + "{compadd -S \"\" -- " + with_blanks(option.words) + '}';
  switch (operand_of(option)) {
    case Operand::none:
      return "";
    case Operand::word:
      return name + '(' + with_blanks(option.words) + ')';
    case Operand::file:
      return name + "_files";
    case Operand::folder:
      return name + "_files -/";
    case Operand::other:
      break;
  }
  return name + ' ';  // a blank: there is nothing to complete
}

void print_zsh_command(std::ostream& out, const CommandDescription& command, const std::string& indent) {
  out << indent << "_arguments -S";
  for (const OptionDescription& option : completed_options(command)) {
    const std::string text = '[' + with_backslashes(in_short(option.text), "\\[]") + ']';
    const std::vector<std::string> all = spellings(option);
    for (const std::string& spelling : all) {
      const std::string others = option.repeated ? "*" : '(' + with_blanks(all) + ')';
      const bool is_long_with_value = spelling.starts_with("--") && !option.argument.empty();
      out << " \\\n"
          << indent << "  "
          << shell_word(others + spelling + (is_long_with_value ? "=" : "") + text + zsh_operand(option));
    }
  }
  out << " \\\n" << indent << "  ";
  if (command.words.empty())
    out << "'*:file:_files'\n";
  else
    out << shell_word("1:word:(" + with_blanks(command.words) + ')') << '\n';
}

void print_zsh(std::ostream& out, const CompletedProgram& program) {
  out << "#compdef " << program.name << "\n_" << program.name << "() {\n";
  if (is_one_command(program)) {
    print_zsh_command(out, program.commands.front(), "  ");
  } else {
    out << "  if ((CURRENT == 2)); then\n    local -a commands=(\n";
    for (const CommandDescription& command : program.commands)
      out << "      "
          << shell_word(command.text.name + ':' + with_backslashes(in_short(command.summary), "\\:")) << '\n';
    out << "    )\n    _describe command commands\n    return\n  fi\n"
           "  local command=$words[2]\n  words=(\"${(@)words[2,-1]}\")\n  ((CURRENT--))\n  case $command "
           "in\n";
    for (const CommandDescription& command : program.commands) {
      out << "    " << command.text.name << ")\n";
      print_zsh_command(out, command, "      ");
      out << "      ;;\n";
    }
    out << "    *) _files ;;\n  esac\n";
  }
  out << "}\n_" << program.name << " \"$@\"\n";
}

// fish ------------------------------------------------------------------------------------------------------

std::string fish_quoted(const std::string& text) {
  return '\'' + with_backslashes(text, "\\'") + '\'';
}

std::string fish_operand(const OptionDescription& option) {
  switch (operand_of(option)) {
    case Operand::none:
      return "";
    case Operand::word:
      return " -x -a " + fish_quoted(with_blanks(option.words));
    case Operand::file:
      return " -r -F";
    case Operand::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Operand::other:
      break;
  }
  return " -x";
}

void print_fish_command(std::ostream& out, const std::string& program, const CommandDescription& command) {
  const std::string& name = command.text.name;
  const std::string begin = "complete -c " + program +
                            (name.empty() ? "" : " -n " + fish_quoted("__fish_seen_subcommand_from " + name));
  if (command.words.empty())
    out << begin << " -F\n";
  else
    out << begin << " -f -a " << fish_quoted(with_blanks(command.words)) << '\n';
  for (const OptionDescription& option : completed_options(command))
    out << begin << (option.letter.empty() ? "" : " -s " + option.letter) << " -l " << option.name
        << fish_operand(option) << " -d " << fish_quoted(in_short(option.text)) << '\n';
}

void print_fish(std::ostream& out, const CompletedProgram& program) {
  out << "# fish completion of " << program.name << '\n';
  if (!is_one_command(program)) {
    const std::string begin = "complete -c " + program.name + " -n __fish_use_subcommand -f";
    for (const CommandDescription& command : program.commands)
      out << begin << " -a " << command.text.name << " -d " << fish_quoted(in_short(command.summary)) << '\n';
    for (const OptionDescription& help : help_options())
      out << begin << " -l " << help.name << " -d " << fish_quoted(help.text) << '\n';
    out << begin << " -l version -d 'print the version'\n";
  }
  for (const CommandDescription& command : program.commands) print_fish_command(out, program.name, command);
}

}  // namespace

const std::vector<std::string>& completed_shells() {
  static const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  return shells;
}

void print_completion(std::ostream& out, const std::string& shell, const CompletedProgram& program) {
  if (shell == "bash") return print_bash(out, program);
  if (shell == "zsh") return print_zsh(out, program);
  if (shell == "fish") return print_fish(out, program);
  fail<UsageError>("the shell is '", shell, "'; it must be one of ", with_blanks(completed_shells()));
}

}  // namespace ionwell
