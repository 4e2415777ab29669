// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/residue_id.hpp"

#include "core/text/numbers.hpp"

namespace ionwell {

std::optional<ResidueId> parse_residue_id(std::string_view text) {
  ResidueId id;
  if (!text.empty() && is_letter(text.back())) {
    id.insertion_code = text.back();
    text.remove_suffix(1);
  }
  const std::optional<int> number = parse_integer(text);
  if (!number) return {};
  id.number = *number;
  return id;
}

}  // namespace ionwell
