// SPDX-License-Identifier: BSD-3-Clause
#include "cli/pending_messages.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <iostream>
#include <vector>

#include "cli/terminal.hpp"
#include "core/text/note.hpp"

namespace ionwell {
namespace {

using MessageClock = std::chrono::steady_clock;

struct PendingList {
  std::vector<std::string> known, pending;
  MessageClock::time_point oldest;
  bool shows_notes = true;
  std::deque<std::string> texts;  // of all times: a signal handler may read any of them
};

PendingList& pending_list() {
  static PendingList list;
  return list;
}

std::atomic<const char*> text_of_pending{""};

std::string shown_as(const std::string& message) {
  return is_note(message) ? message : "warning: " + message;
}

void update_text(PendingList& list) {
  std::string text;
  for (const std::string& message : list.pending) text += "ionwell: " + shown_as(message) + '\n';
  text_of_pending = list.texts.emplace_back(std::move(text)).c_str();
}

}  // namespace

void add_message(const std::string& text) {
  PendingList& list = pending_list();
  if (is_note(text) && !list.shows_notes) return;
  if (std::find(list.known.begin(), list.known.end(), text) != list.known.end()) return;
  if (list.pending.empty()) list.oldest = MessageClock::now();
  list.known.push_back(text);
  list.pending.push_back(text);
  update_text(list);
}

void add_messages(std::span<const std::string> texts) {
  for (const std::string& text : texts) add_message(text);
}

void hide_notes() {
  pending_list().shows_notes = false;
}

void show_messages() {
  PendingList& list = pending_list();
  text_of_pending = "";
  std::stable_partition(list.pending.begin(), list.pending.end(),
                        [](const std::string& message) { return !is_note(message); });
  for (const std::string& message : list.pending) print_message(std::cerr, shown_as(message));
  list.pending.clear();
}

bool has_overdue_messages() {
  const PendingList& list = pending_list();
  return !list.pending.empty() && MessageClock::now() - list.oldest > longest_pending;
}

const char* pending_messages() noexcept {
  return text_of_pending;
}

}  // namespace ionwell
