// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/terminal_observer.hpp"

#include <iomanip>
#include <iostream>
#include <memory>

#include "cli/pending_messages.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {

RunObserver terminal_observer(ProgressStyle style) {
  if (style == ProgressStyle::none) hide_notes();
  const auto running = std::make_shared<std::weak_ptr<ProgressBar>>();
  return {.stage = [style, running](const std::string&, const std::string& shown) -> Progress {
            const auto bar = std::make_shared<ProgressBar>(shown, style, std::cerr);
            *running = bar;
            return [bar](double done) {
              if (has_overdue_messages()) {
                bar->clear();
                show_messages();
              }
              bar->update(done);
            };
          },
          .residual =
              [running](double residual) {
                const auto bar = running->lock();
                if (bar == nullptr) return;
                TextStream text;
                text << "residual " << std::scientific << std::setprecision(0) << residual;
                bar->note(text.str());
              },
          .warning = [](const std::string& text) { add_message(text); }};
}

}  // namespace ionwell
