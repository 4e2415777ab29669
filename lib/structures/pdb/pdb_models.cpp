// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/pdb_models.hpp"

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "structures/pdb/pqr_record.hpp"

namespace ionwell {
namespace {

class PdbModels final : public FrameReader {
 public:
  PdbModels(std::string_view text, const std::string& path) : path_(path) {
    LineScanner lines(text);
    std::size_t begin = 0;
    bool has_atoms = false;
    for (std::string_view line; lines.next(line);) {
      if (is_atom_record(line)) {
        has_atoms = true;
        continue;
      }
      const std::string_view record = take_token(line);
      if (!has_atoms || (record != "END" && record != "ENDMDL" && record != "MODEL")) continue;
      const auto end = std::size_t(record.data() - text.data());
      models_.push_back(text.substr(begin, end - begin));
      begin = end;
      has_atoms = false;
    }
    if (has_atoms) models_.push_back(text.substr(begin));
    if (models_.empty())
      fail(path_, ": has no atoms (no line starts with ATOM or HETATM); is it the right file?");
    cell_ = read_pdb(models_.front(), name_of(0)).cell;
  }

  std::int64_t frames() const override { return std::ssize(models_); }

  Coordinates read(std::int64_t index) const override {
    const Structure model = read_pdb(models_[std::size_t(index)], name_of(index));
    Coordinates result{.cell = model.cell ? model.cell : cell_};
    result.positions_A.reserve(model.atoms.size());
    result.labels.reserve(model.atoms.size());
    for (const Atom& atom : model.atoms) {
      result.positions_A.push_back(atom.position_A);
      result.labels.push_back({atom.name, atom.residue, atom.residue_number});
    }
    return result;
  }

 private:
  /// Lines of later models are counted from where they begin.
  std::string name_of(std::int64_t index) const {
    return index == 0 ? path_ : path_ + ", model " + std::to_string(index + 1);
  }

  const std::string& path_;
  std::vector<std::string_view> models_;
  std::optional<UnitCell> cell_;
};

}  // namespace

std::unique_ptr<FrameReader> open_pdb_models(std::string_view text, const std::string& path) {
  return std::make_unique<PdbModels>(text, path);
}

}  // namespace ionwell
