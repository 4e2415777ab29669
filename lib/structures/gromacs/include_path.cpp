// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/include_path.hpp"

#include <cstdlib>
#include <filesystem>

#include "core/text/lines.hpp"

namespace ionwell {
namespace {

namespace fs = std::filesystem;

/// $GMXLIB, which may name several folders, and the force fields that come with GROMACS.
std::vector<std::string> installed_folders() {
  std::vector<std::string> folders;
  const auto value = [](const char* name) {
    const char* const text = std::getenv(name);
    return std::string_view(text == nullptr ? "" : text);
  };
  for (std::string_view rest = value("GMXLIB"); !rest.empty();) {
    const std::size_t colon = rest.find(':');
    if (colon != 0) folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(colon == rest.npos ? rest.size() : colon + 1);
  }
  if (!value("GMXDATA").empty()) folders.push_back(std::string(value("GMXDATA")) + "/top");
  folders.insert(folders.end(), {"/usr/share/gromacs/top", "/usr/local/gromacs/share/gromacs/top"});
  return folders;
}

std::string beside(const std::string& from) {
  const std::string folder = fs::path(from).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string_view included_name(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('#')) return {};
  line = trim(line.substr(1));
  if (take_token(line) != "include") return {};
  line = trim(line);
  if (line.empty() || (line[0] != '<' && line[0] != '"')) return {};
  const std::size_t close = line.find(line[0] == '<' ? '>' : '"', 1);
  return close == line.npos ? std::string_view{} : line.substr(1, close - 1);
}

GromacsIncludePath::GromacsIncludePath(const std::vector<std::string>& include_folders, bool with_installed)
    : folders_(include_folders), own_(include_folders.size()) {
  if (!with_installed) return;
  for (std::string& folder : installed_folders()) folders_.push_back(std::move(folder));
}

std::optional<FoundInclude> GromacsIncludePath::find(
    std::string_view name, const std::string& from,
    const std::function<bool(const std::string&)>& is_there) const {
  std::string path = (fs::path(from).parent_path() / name).lexically_normal().string();
  if (is_there(path)) return FoundInclude{path};  // also where the name is absolute
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    path = (fs::path(folders_[i]) / name).lexically_normal().string();
    if (is_there(path)) return FoundInclude{path, i >= own_ && fs::path(path).is_absolute()};
  }
  return {};
}

std::string GromacsIncludePath::describe(const std::string& from) const {
  std::string text = beside(from);
  for (const std::string& folder : folders_) text += ", " + folder;
  return text;
}

bool is_file_on_disk(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

}  // namespace ionwell
