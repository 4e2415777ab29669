#include "ionwell/terminal_observer.hpp"

#include <iostream>
#include <memory>

#include "cli/terminal.hpp"

namespace ionwell {

RunObserver terminal_observer(ProgressStyle style) {
  return {.stage = [style](const std::string&, const std::string& shown) -> Progress {
            const auto bar = std::make_shared<ProgressBar>(shown, style, std::cerr);
            return [bar](double done) { bar->update(done); };
          },
          .warning = [](const std::string& text) { print_message(std::cerr, "warning: " + text); }};
}

}  // namespace ionwell
