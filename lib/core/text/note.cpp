// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/note.hpp"

namespace ionwell {
namespace {

constexpr std::string_view note_mark = "note: ";

}  // namespace

std::string note(std::string_view text) {
  return std::string(note_mark).append(text);
}

bool is_note(std::string_view message) {
  return message.starts_with(note_mark);
}

std::string without_mark(std::string_view message) {
  return std::string(is_note(message) ? message.substr(note_mark.size()) : message);
}

std::vector<std::string> warnings_of(std::span<const std::string> messages) {
  std::vector<std::string> warnings;
  for (const std::string& message : messages)
    if (!is_note(message)) warnings.push_back(message);
  return warnings;
}

std::vector<std::string> notes_of(std::span<const std::string> messages) {
  std::vector<std::string> notes;
  for (const std::string& message : messages)
    if (is_note(message)) notes.push_back(without_mark(message));
  return notes;
}

}  // namespace ionwell
