// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Messages of a run that do not end it. A warning is something that the user must act on; everything else is
/// a note, whose text begins with "note: ". Lists of messages contain both.
namespace ionwell {

/// The text of a note: "note: " and `text`.
std::string note(std::string_view text);

bool is_note(std::string_view message);

/// A warning, or a note without "note: ".
std::string without_mark(std::string_view message);

/// The warnings among `messages`, in their order.
std::vector<std::string> warnings_of(std::span<const std::string> messages);

/// The notes among `messages`, in their order, without "note: ".
std::vector<std::string> notes_of(std::span<const std::string> messages);

}  // namespace ionwell
