// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/running/checkpoint_arguments.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "cli/terminal.hpp"
#include "compute/checkpoint/fingerprint.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "core/version.hpp"
#include "files/input_file.hpp"
#include "ionwell/summaries/run_summary.hpp"

namespace ionwell {
namespace {

/// Options that do not change what is computed.
constexpr std::array<std::string_view, 24> beside_the_result = {
    "output",           "report",   "html",           "view",       "quiet",       "with-solute",
    "pdb-serials",      "save-map", "save-map-after", "preset",     "save-preset", "checkpoint",
    "checkpoint-every", "resume",   "threads",        "simd",       "backend",     "devices",
    "gpu-memory",       "include",  "keep-pdb2pqr",   "hydrate-as", "rdf",         "csv"};

std::string text_of(const OptionValue& value) {
  TextStream text;
  text.precision(17);
  const auto write = [&](const auto& one) { text << one; };
  if (const auto* const flag = std::get_if<bool>(&value))
    text << (*flag ? "given" : "");
  else if (const auto* const several = std::get_if<std::vector<std::string>>(&value))
    for (const std::string& one : *several) text << (&one == several->data() ? "" : " ") << one;
  else if (const auto* const number = std::get_if<double>(&value))
    write(*number);
  else if (const auto* const whole = std::get_if<std::int64_t>(&value))
    write(*whole);
  else
    write(std::get<std::string>(value));
  return text.str();
}

std::string lengths_text(const UnitCell& cell) {
  const Vec3<double> lengths = lengths_A(cell);
  TextStream text;
  text << lengths.x << " x " << lengths.y << " x " << lengths.z << " A";
  return text.str();
}

RunIdentity identity_of(const CheckpointArguments& arguments, const std::string& command,
                        const RunInputs& inputs) {
  RunIdentity identity = {
      {"command", command},
      {"version", std::string(version())},
      {"atoms", std::to_string(inputs.atoms.size()) + " (" + fingerprint_of(inputs.atoms) + ")"}};
  if (inputs.cell)
    identity.emplace_back("cell", lengths_text(*inputs.cell) + " (" + fingerprint_of(*inputs.cell) + ")");
  for (const std::string& path : inputs.files)
    identity.emplace_back(
        "input", std::filesystem::path(path).filename().string() + " (" + fingerprint_of_file(path) + ")");
  identity.insert(identity.end(), inputs.more.begin(), inputs.more.end());
  for (const OptionSetting& setting : arguments.settings) {
    if (std::find(beside_the_result.begin(), beside_the_result.end(), setting.name) !=
        beside_the_result.end())
      continue;
    const std::optional<OptionValue> value = setting.value();
    if (!value) continue;
    const std::string text = text_of(*value);
    if (!text.empty()) identity.emplace_back("--" + setting.name, text);
  }
  return identity;
}

}  // namespace

void add_checkpoint_options(OptionGroup& group, OptionGroup& tuning, CheckpointArguments& arguments) {
  group.add("checkpoint", arguments.path, "FILE",
            "save the state of the run in FILE (HDF5) at intervals, on SIGUSR1, and when Ctrl-C, SIGTERM or "
            "an error stops it");
  tuning.add("checkpoint-every", arguments.every_s, "S", "time between two checkpoints");
  group.add("resume", arguments.resumed, "FILE",
            "continue from the state in FILE if it exists, to the same result as an uninterrupted run, and "
            "save checkpoints there unless --checkpoint names another file");
}

void validate(const CheckpointArguments& arguments) {
  CheckpointOptions options;
  options.every_s = arguments.every_s;
  validate(options);
}

RequestedOutput requested_checkpoint(const CheckpointArguments& arguments) {
  return {arguments.path ? "--checkpoint" : "--resume", arguments.file()};
}

std::unique_ptr<Checkpoint> open_checkpoint(const CheckpointArguments& arguments, const std::string& command,
                                            const RunInputs& inputs) {
  if (!arguments.given()) return nullptr;
  if (std::any_of(inputs.files.begin(), inputs.files.end(), is_standard_input))
    fail<UsageError>(
        "a checkpoint belongs to the files of its run, and standard input (-) cannot be compared when the "
        "run goes "
        "on; save it as a file, and give that");
  CheckpointOptions options{.path = *arguments.file(), .every_s = arguments.every_s, .from = {}};
  if (arguments.resumed && std::filesystem::exists(*arguments.resumed)) options.from = arguments.resumed;
  return std::make_unique<Checkpoint>(options, identity_of(arguments, command, inputs));
}

std::pair<std::string, std::string> identity_of_points(std::span<const Vec3<double>> points_A) {
  Fingerprint fingerprint;
  for (const Vec3<double>& p : points_A)
    for (const double x : {p.x, p.y, p.z}) fingerprint.add(x);
  return {"points", std::to_string(points_A.size()) + " (" + fingerprint.text() + ")"};
}

std::pair<std::string, std::string> identity_of_instructions(SimdLevel level) {
  return {"instructions", std::string(to_string(level == SimdLevel::automatic ? best_simd_level() : level))};
}

void print_checkpoint(std::ostream& out, const Checkpoint* checkpoint) {
  if (checkpoint == nullptr) return;
  const CheckpointOptions& options = checkpoint->options();
  print_row(out, "checkpoint", options.path, ", every ", options.every_s, " s",
            options.from ? "; goes on from " + *options.from : "; begins anew");
}

}  // namespace ionwell
