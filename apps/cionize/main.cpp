// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "cionize/arguments.hpp"
#include "cionize/manual.hpp"
#include "cionize/script.hpp"
#include "cionize/script_words.hpp"
#include "cionize/session.hpp"
#include "cli/outputs.hpp"
#include "cli/terminal.hpp"
#include "core/text/quoting.hpp"
#include "files/input_file.hpp"
#include "gpu/backend.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/gpu_start.hpp"
#include "ionwell/program/program_main.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "mpi/ranks.hpp"
#include "programs/child_process.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell::cionize {
namespace {

std::string script_name(const Arguments& arguments) {
  return !arguments.script || is_standard_input(*arguments.script) ? std::string(standard_input_name)
                                                                   : *arguments.script;
}

std::vector<ScriptCommand> read_script(const Arguments& arguments) {
  if (arguments.script && !is_standard_input(*arguments.script))
    return parse_script(read_input_file(*arguments.script).text(), *arguments.script);
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  return parse_script(text, std::string(standard_input_name));
}

bool is_format(std::optional<FileFormat> format, const std::string& word) {
  const bool is_pqr = !format || format == FileFormat::pqr;
  return word == "pqr" ? is_pqr
                       : (word == "pdb" && format == FileFormat::pdb) ||
                             (word == "cif" && format == FileFormat::mmcif) ||
                             (word == "mol2" && format == FileFormat::mol2) ||
                             (word == "tpr" && format == FileFormat::tpr);
}

/// All atoms are the solute, as for the original. -f pqr also takes what looks like a PDB file.
Input read_solute(const Arguments& arguments) {
  InputOptions options;
  options.water = InputWater::solute;
  options.decimals = ChargeDecimals::rounded_by_vmd;  // VMD's command of this name writes the structure
  if (arguments.format.empty()) return read_input({arguments.structure}, options);
  InputFile file(arguments.structure);
  const std::optional<FileFormat> format = format_of_file(file);
  if (arguments.format == "pqr") {
    Input input;
    input.files = {file.name()};
    input.system.acting() = read_structure(std::move(file), options);
    input.is_pqr = true;
    return input;
  }
  if (!is_format(format, arguments.format))
    fail<UsageError>(arguments.structure, ": is ", format ? describe(*format) : "a PQR file", ", and -f is ",
                     arguments.format, "; leave -f out, or give the right file");
  std::vector<InputFile> files;
  files.push_back(std::move(file));
  return read_open_files(std::move(files), options);
}

/// Everything about the script's files that can be refused before hours of computing.
std::vector<RequestedOutput> check_files(const Arguments& arguments,
                                         const std::vector<ScriptCommand>& script) {
  std::vector<std::string> inputs = {arguments.structure};
  if (arguments.script) inputs.push_back(*arguments.script);
  std::vector<RequestedOutput> outputs;
  for (const ScriptCommand& command : script) {
    if (command.keyword == Keyword::grid_file) inputs.push_back(command.path);
    if (command.keyword != Keyword::save_ion && command.keyword != Keyword::save_grid) continue;
    const std::string where = script_name(arguments) + ':' + std::to_string(command.line) + ": ";
    outputs.push_back({where + std::string(word_of(command.keyword)), command.path});
    try {
      if (command.keyword == Keyword::save_ion && !command.format) system_format(command.path);
      check_outputs(inputs, {outputs.back()});
    } catch (const Error& error) {
      fail(where, word_of(command.keyword), ": ", in_script_words(error.what()));
    }
    try {
      check_outputs({}, outputs);
    } catch (const Error& error) {  // it names both
      fail(error.what());
    }
  }
  return outputs;
}

/// One command, whose errors say where it stands.
void execute(Session& session, const ScriptCommand& command, const std::string& name) {
  const auto message = [&](const std::exception& error) {
    return name + ':' + std::to_string(command.line) + ": " + in_script_words(error.what());
  };
  try {
    session.execute(command);
  } catch (const Interrupted&) {
    throw;
  } catch (const TooFewPlaced& error) {
    throw TooFewPlaced(message(error));
  } catch (const Error& error) {
    throw Error(message(error));
  }
}

SessionPlan plan_of(const std::vector<ScriptCommand>& script, const std::string& command) {
  SessionPlan plan{.command = command, .saves_grid = false};
  for (const ScriptCommand& one : script)
    if (one.keyword == Keyword::save_grid) {
      plan.saves_grid = true;
      plan.grid_files.push_back(one.path);
    }
  return plan;
}

int run_script(const Arguments& arguments, const std::string& command_text, std::ostream& out,
               const Backends& backends) {
  const std::vector<ScriptCommand> script = read_script(arguments);
  const std::vector<RequestedOutput> outputs = check_files(arguments, script);
  const bool computes = std::any_of(script.begin(), script.end(), [](const ScriptCommand& command) {
    return command.keyword == Keyword::begin;
  });
  std::future<void> gpu_start;
  if (computes)
    gpu_start = start_gpu_while_reading(backend_options(arguments.backend), arguments.structure,
                                        usable_threads(arguments.processors));
  Session session(arguments, read_solute(arguments), plan_of(script, command_text),
                  summary_stream(outputs, out), backends);
  for (const ScriptCommand& command : script) execute(session, command, script_name(arguments));
  session.end();
  return done;
}

/// Commands as they are typed: what is wrong with one is said, and the next may follow.
int run_typed(const Arguments& arguments, const std::string& command_text, std::ostream& out,
              const Backends& backends) {
  Session session(arguments, read_solute(arguments), {.command = command_text}, out, backends);
  std::int64_t number = 0;
  for (std::string line; out << ">>> " << std::flush, std::getline(std::cin, line);) {
    ++number;
    try {
      std::optional<ScriptCommand> command = parse_command(line, session.phase());
      if (!command) continue;
      if (command->keyword == Keyword::exit) break;
      command->line = number;
      session.execute(*command);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      print_message(std::cerr, in_script_words(error.what()), "cionize");
    }
  }
  if (!std::cin) out << '\n';  // the end of input leaves the prompt's line open
  session.end();
  return done;
}

int run_cionize(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  if (print_manual(words, out)) return done;
  Arguments arguments;
  if (!parse_arguments(words, arguments, out)) return done;
  std::string command = "cionize";
  for (const std::string& word : words) command += ' ' + shell_word(word);
  if (is_standard_input(arguments.structure) && (!arguments.script || is_standard_input(*arguments.script)))
    fail<UsageError>(
        "both the structure and the commands would come from standard input; give the script with -i");
  return !arguments.script && isatty(STDIN_FILENO) == 1 ? run_typed(arguments, command, out, backends)
                                                        : run_script(arguments, command, out, backends);
}

}  // namespace
}  // namespace ionwell::cionize

int main(int argc, char** argv) {
  const auto program = [](int count, char** words, ionwell::RankGroup* ranks) {
    return ionwell::program_main(
        {.name = "cionize",
         .run = ionwell::cionize::run_cionize,
         .without_memory =
             "not enough memory; a larger GRIDSPACING, a smaller BORDERSIZE or a smaller XYZDIM needs less"},
        count, words, ranks);
  };
  return ionwell::run_in_ranks(program, argc, argv, ionwell::gpu_backend);
}
