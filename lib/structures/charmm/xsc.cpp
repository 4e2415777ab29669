// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/xsc.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "structures/charmm/cell_vectors.hpp"
#include "structures/charmm/possible_values.hpp"

namespace ionwell {
namespace {

constexpr std::string_view first_words = "# NAMD extended system", labels_mark = "#$LABELS";
constexpr std::string_view usual_labels = "step a_x a_y a_z b_x b_y b_z c_x c_y c_z o_x o_y o_z";
constexpr std::string_view record = "the labels determine the numbers in a line";
constexpr std::string_view way_out = "copy it again, or run NAMD again";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!trim(text).empty()) words.push_back(take_token(text));
  return words;
}

/// A line with numbers, and the labels that it has.
struct DataLine {
  std::string_view labels, text;
  std::int64_t number = 0;
};

/// The three numbers whose labels are `vector`_x to _z; zero where there are none.
Vec3<double> read_vector(char vector, const DataLine& line, const std::string& path) {
  const std::vector<std::string_view> labels = words_of(line.labels), words = words_of(line.text);
  std::array<double, 3> values{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string label{vector, '_', "xyz"[axis]};
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) continue;
    values[axis] = NumberInLine{path, line.number, label, record, way_out, largest_coordinate_A, " A"}.read(
        words[std::size_t(found - labels.begin())]);
  }
  return {values[0], values[1], values[2]};
}

}  // namespace

bool is_xsc(std::string_view head) {
  return head.starts_with(first_words) || head.starts_with("#$LABELS step a_x");  // without its first line
}

ExtendedSystem read_xsc(std::string_view text, const std::string& path) {
  ExtendedSystem system;
  std::string_view labels = usual_labels;
  std::size_t numbers = words_of(labels).size();
  DataLine last;
  LineScanner lines(text);
  std::int64_t cut_line = 0;
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with(labels_mark)) {
      labels = line.substr(labels_mark.size());
      numbers = words_of(labels).size();
    }
    if (trim(line).empty() || line.starts_with('#')) continue;
    if (words_of(line).size() < numbers || (!lines.line_is_ended() && last.number > 0)) {
      cut_line = lines.number();
    } else {
      last = {labels, line, lines.number()};
    }
  }
  if (last.number == 0)
    fail(path, ": has no line with all of the ", numbers, " numbers that its labels announce; ", way_out);
  if (cut_line > last.number)
    system.warnings.push_back(path + ':' + std::to_string(cut_line) +
                              ": this line is truncated; the cell is that of line " +
                              std::to_string(last.number));

  const std::array<Vec3<double>, 3> vectors_A{read_vector('a', last, path), read_vector('b', last, path),
                                              read_vector('c', last, path)};
  system.origin_A = read_vector('o', last, path);
  system.cell = cell_of_vectors({vectors_A[0], vectors_A[1], vectors_A[2]});
  const auto is_periodic = [](const Vec3<double>& vector_A) { return vector_A != Vec3<double>{}; };
  if (!system.cell && std::all_of(vectors_A.begin(), vectors_A.end(), is_periodic))
    fail(path, ':', last.number, ": the three vectors do not form a cell (they span no volume); ", way_out);
  if (!system.cell && std::any_of(vectors_A.begin(), vectors_A.end(), is_periodic))
    system.warnings.push_back(path + ':' + std::to_string(last.number) +
                              ": the system is periodic along some vectors only; the cell was ignored");
  return system;
}

}  // namespace ionwell
