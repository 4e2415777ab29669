// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <span>
#include <string>

/// Warnings and notes of a run. The program shows them on standard error after its results, warnings first,
/// or before the message of the error that ends the run. None is held back for more than a minute.
namespace ionwell {

constexpr std::chrono::seconds longest_pending{60};

/// A warning, or a note (core/text/note.hpp); a text that was added before is ignored.
void add_message(const std::string& text);
void add_messages(std::span<const std::string> texts);

/// --quiet: notes are not shown.
void hide_notes();

/// Shows all pending messages.
void show_messages();

/// Whether a message has been pending for longer than `longest_pending`.
bool has_overdue_messages();

/// The pending messages as lines of text, for a signal handler; valid until the program ends.
const char* pending_messages() noexcept;

}  // namespace ionwell
