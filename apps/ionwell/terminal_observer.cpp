#include "ionwell/terminal_observer.hpp"

#include <iomanip>
#include <iostream>
#include <memory>

#include "cli/terminal.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {

RunObserver terminal_observer(ProgressStyle style) {
  const auto running = std::make_shared<std::weak_ptr<ProgressBar>>();
  return {.stage = [style, running](const std::string&, const std::string& shown) -> Progress {
            const auto bar = std::make_shared<ProgressBar>(shown, style, std::cerr);
            *running = bar;
            return [bar](double done) { bar->update(done); };
          },
          .residual =
              [running](double residual) {
                const auto bar = running->lock();
                if (bar == nullptr) return;
                TextStream text;
                text << "residual " << std::scientific << std::setprecision(0) << residual;
                bar->note(text.str());
              },
          .warning = [](const std::string& text) { print_message(std::cerr, "warning: " + text); }};
}

}  // namespace ionwell
