// SPDX-License-Identifier: BSD-3-Clause
#include "files/text_values.hpp"

#include <algorithm>
#include <exception>

#include "files/ordered_writer.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {

void write_rows(OutputFile& file, const TextRows& rows, std::int64_t first_run, std::int64_t count,
                const std::function<void(std::int64_t, std::int64_t, double*)>& values, int threads) {
  constexpr std::int64_t about = 1 << 15;  // values that a thread formats at a time
  const std::int64_t runs = count / rows.run;
  const std::int64_t together = std::max<std::int64_t>(1, about / rows.run);
  const std::int64_t chunks = (runs + together - 1) / together;
  OrderedWriter writer(file, 4 * threads);
  parallel_for({threads, 1}, chunks, [&](std::int64_t chunk) {
    if (writer.stopped()) return;
    try {
      const std::int64_t from = chunk * together, to = std::min(runs, from + together);
      std::vector<double> numbers(std::size_t((to - from) * rows.run));
      values(from * rows.run, std::int64_t(numbers.size()), numbers.data());
      std::string text;
      for (std::int64_t run = from; run < to; ++run) {
        if (rows.before) text += rows.before(first_run + run);
        for (std::int64_t n = 0; n < rows.run; ++n) {
          rows.number(text, numbers[std::size_t((run - from) * rows.run + n)]);
          if (n % rows.on_line == rows.on_line - 1 || n == rows.run - 1) text += '\n';
        }
      }
      writer.put(chunk, std::move(text));
    } catch (...) {
      writer.stop(std::current_exception());  // or the others would wait for this part
    }
  });
  writer.finish();
}

}  // namespace ionwell
