// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// The files that a page is made of, built into the library by cmake/embed.cmake.
namespace ionwell {

std::string page_template();  // report.html, with @name@ where a part goes
std::string page_style();     // report.css
std::string page_script();    // charts.js, report.js and view.js
std::string viewer_script();  // 3Dmol-min.js
std::string viewer_licence();

}  // namespace ionwell
