// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb2pqr_command.hpp"

#include <filesystem>

namespace ionwell {
namespace {

std::string quote_for_shell(const std::string& text) {
  constexpr const char* safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(safe) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted += '\'';
}

}  // namespace

std::string pdb2pqr_command(const std::string& path, StructureFormat format) {
  std::filesystem::path input(path);
  std::string command;
  const auto then = [&command](const std::string& step) {
    if (!command.empty()) command += " && ";
    command += step;
  };
  if (input.extension() == ".gz") {
    then("gunzip -k " + quote_for_shell(path));
    input.replace_extension();
  }
  if (format == StructureFormat::mmcif) {
    const std::string mmcif = input.string();
    input.replace_extension(".pdb");
    then("gemmi convert --from=mmcif " + quote_for_shell(mmcif) + ' ' + quote_for_shell(input.string()));
  }
  std::filesystem::path output(input);
  output.replace_extension(".pqr");
  if (output == input) output.replace_filename(input.stem().string() + "-charged.pqr");
  then("pdb2pqr --ff=AMBER --keep-chain " + quote_for_shell(input.string()) + ' ' +
       quote_for_shell(output.string()));
  return command;
}

}  // namespace ionwell
