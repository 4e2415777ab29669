// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chemistry/templates/residue_template.hpp"

namespace ionwell {

/// Components of one kind. Without a template, by what they are: "additive", "cofactor", "sugar" ...; or
/// ions, by the scheme that has them.
struct KnownComponents {
  std::string_view what;
  std::vector<std::string_view> names;  // parts of the text
};

/// What residues.txt says.
struct ResidueFile {
  std::vector<ResidueTemplate> templates;    // a residue, its variants, each at every end that it can have
  std::vector<KnownComponents> known, ions;  // in the order of the file
};

/// Reads the format of residues.txt; throws Error, `path:line: ...`, for what it cannot understand. `text`
/// must outlive the result.
///
///     schemes WORD...                  the naming schemes, in the order of NamingScheme
///     lists WORD...                    further lists of atom names
///     fragment NAME [= FRAGMENT...]    atoms that residues share
///     residue NAME [= FRAGMENT...] CLASS [CODE]      fragments may be residues that are above
///     variant NAME of RESIDUE          what differs from the residue
///     end END of CLASS|RESIDUE... [but RESIDUE...]   what differs at an end of a chain; the last that fits
///     end NAME = END END               what both of them together are called
///     ions SCHEME COMPONENT[=ATOM]...  ions of one atom that AMBER has besides the usual ones, or all that
///                                      GROMACS's charmm27 has
///     known WORD NAME...               components without a template
///
/// and, below them, in the order in which they are done:
///
///     bond A-B,C A=D                     single, double bonds (A~B coordinate); the first letter of a new
///                                        atom is its element
///     drop A...                          with their bonds and names
///     charge A +1                        formal charge
///     element A SE
///     link before|after|side A|-         the atom that is bonded to another residue
///     names SCHEME,LIST... A=B...        what an atom is called elsewhere
///     called SCHEME,... NAME [PATCH...]  what the residue is called elsewhere; `*` in ends: its name within
///                                        a chain
///     scheme SCHEME LIST                 the scheme's names are those of the list
///     parent NAME                        what a modified residue was made from
///     lacks SCHEME...                    these have no such residue
///     inner SCHEME...                    these have it within a chain only
ResidueFile read_residue_file(std::string_view path, std::string_view text);

}  // namespace ionwell
