// SPDX-License-Identifier: BSD-3-Clause
#include "output/views/html_report.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "output/views/page_data.hpp"
#include "output/views/page_files.hpp"

namespace ionwell {
namespace {

/// The part of a page that stands for @name@ of its template.
std::string page_part(const std::string& name, const Result& result, const CoarseMap& map,
                      std::span<const ChemistryRow> chemistry) {
  if (name == "title")
    return html_text(std::filesystem::path(result.structure.path).filename().string() + " - ions by ionwell");
  if (name == "style") return page_style();
  if (name == "script") return page_script();
  if (name == "data") return script_safe(page_data(result, map, chemistry));
  if (name == "viewer")
    return "<!--\n" + viewer_licence() + "\n-->\n<script>" + viewer_script() + "</script>";
  fail("the template of the page has a part '", name, "' that does not exist");
}

}  // namespace

std::string html_report(const Result& result, const CoarseMap& map, std::span<const ChemistryRow> chemistry) {
  const std::string page = page_template();
  std::string text;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t open = page.find('@', at), close = page.find('@', open + 1);
    if (open == std::string::npos || close == std::string::npos) return text + page.substr(at);
    text += page.substr(at, open - at) +
            page_part(page.substr(open + 1, close - open - 1), result, map, chemistry);
    at = close + 1;
  }
  return text;
}

}  // namespace ionwell
