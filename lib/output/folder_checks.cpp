// SPDX-License-Identifier: BSD-3-Clause
#include "output/folder_checks.hpp"

#include <algorithm>

#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "structures/engines/charmm_files.hpp"

namespace ionwell {

bool keeps_topology(Engine engine, const Input& input) {
  return engine == Engine::gromacs || (engine == Engine::charmm && has_psf(input.topology));
}

void check_engine_input(Engine engine, const Input& input) {
  check_engine_atoms(engine, input.topology, input.system.atoms(), input.ligands, input.entry_links);
  if (keeps_topology(engine, input)) check_engine_particles(engine, input.system.ignored());
}

void check_left_out(Engine engine, const Input& input, std::span<const std::uint8_t> is_in_solute) {
  if (!keeps_topology(engine, input) || is_in_solute.empty()) return;
  const std::vector<Atom> all = input.system.atoms_of_files();
  for (std::size_t begin = 0; begin < all.size();) {
    const Residue residue = residue_at(all, begin);
    const auto stays = std::count_if(is_in_solute.begin() + std::ptrdiff_t(begin),
                                     is_in_solute.begin() + std::ptrdiff_t(residue.end),
                                     [](std::uint8_t is_in) { return is_in != 0; });
    const bool is_whole = stays == std::ptrdiff_t(residue.end - begin);
    const bool can_go = residue.kind == ResidueKind::water || (engine == Engine::charmm && stays == 0);
    if (!is_whole && !can_go)
      fail<UsageError>(describe_residue(all[begin]),
                       " is left out of the structure by --solute or --ignore, but ",
                       input.topology ? input.topology->path : input.system.acting().path,
                       " still has it; remove it from that file, or leave the option out");
    begin = residue.end;
  }
}

}  // namespace ionwell
