// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell {

/// Files of other kinds that users have at hand: trajectories and structures that are not read, parameters,
/// maps, logs. A message that names them, and what to give in their place, helps more than one about the
/// first line that cannot be read.

/// Whether a file that begins so (64 KiB, unpacked) is one of them, by its content.
bool is_unread_format(std::string_view head);

/// Throws Error, which names the kind, for a file that begins so and is one of them.
void refuse_unread_format(std::string_view head, const std::string& path);

/// The same by the extension, for a file whose content is in an unknown format.
void refuse_unread_name(const std::string& path);

}  // namespace ionwell
