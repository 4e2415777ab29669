// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// The built-in model of Mg2+ sites in folded RNA, as a model file has it; made by scripts/fit-sites.
std::string_view magnesium_model_text();

}  // namespace ionwell
