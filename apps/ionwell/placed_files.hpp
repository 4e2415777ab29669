#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/outputs.hpp"
#include "run/read_input.hpp"
#include "run/result.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/writers/placed_system.hpp"

/// The files of placed ions, alone or with all that is around them.
namespace ionwell {

/// What -o is to hold.
struct PlacedOutput {
  std::string path;              // a file, or the folder of an engine
  std::optional<Engine> engine;  // makes it a folder
  IonNaming naming = IonNaming::pdb;
  PdbSerials serials = PdbSerials::wrapped;
  bool with_solute = false;  // of ions in a box all is written in any case
};

/// The bytes of the file, also of one beside it for ions placed so far.
std::string placed_file(const PlacedOutput& output, const Input& input, const Result& result);

/// What an engine's folder is made of.
EngineSystem engine_system(const Input& input, const InputOptions& options, const Result& result);

/// Adds the file, or those of the folder.
void add_placed_files(const PlacedOutput& output, const Input& input, const InputOptions& options,
                      const Result& result, OutputFiles& files);

}  // namespace ionwell
