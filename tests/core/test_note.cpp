// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/note.hpp"

#include <doctest/doctest.h>

using namespace ionwell;

TEST_CASE("notes: are told from warnings, and each kind keeps its order") {
  const std::vector<std::string> messages = {"the charge is off", note("hydrogens were built"),
                                             "a note: of what", note("models were ignored")};
  CHECK(messages[1] == "note: hydrogens were built");
  CHECK(warnings_of(messages) == std::vector<std::string>{"the charge is off", "a note: of what"});
  CHECK(notes_of(messages) == std::vector<std::string>{"hydrogens were built", "models were ignored"});
  CHECK(warnings_of({}).empty());
  CHECK_FALSE(is_note("notes: none"));
  CHECK(without_mark(messages[1]) == "hydrogens were built");
  CHECK(without_mark(messages[2]) == messages[2]);
}
