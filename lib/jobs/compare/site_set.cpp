#include "jobs/compare/site_set.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "files/input_file.hpp"

namespace ionwell {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view sites_ending = ".sites.pdb", families_file = "families.tsv";

/// What is in front of the ending, if the name has it and more.
std::optional<std::string> stem_of(std::string_view name, std::string_view ending) {
  if (name.size() <= ending.size() || !name.ends_with(ending)) return std::nullopt;
  return std::string(name.substr(0, name.size() - ending.size()));
}

/// Names of the files of a folder, sorted.
std::vector<std::string> files_of(const std::string& folder, std::string_view option) {
  std::vector<std::string> names;
  std::error_code problem;
  fs::directory_iterator files(folder, problem);
  if (problem) fail(option, ' ', folder, ": ", problem.message(), "; give a folder that can be read");
  for (; files != fs::directory_iterator(); files.increment(problem)) {
    if (problem) fail(option, ' ', folder, ": ", problem.message());
    names.push_back(files->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    cells.push_back(trim(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

std::map<std::string, std::string, std::less<>> read_families(const std::string& path) {
  const FileBytes bytes = read_input_file(path);
  LineScanner lines(bytes.text());
  std::string_view line;
  lines.next(line);
  const std::vector<std::string_view> header = cells_of(line);
  const auto column = [&](std::string_view name) {
    const auto at = std::find(header.begin(), header.end(), name);
    if (at == header.end())
      fail(path, ":1: there is no column '", name,
           "'; the first line has names divided by tabs, entry and family among them");
    return std::size_t(at - header.begin());
  };
  const std::size_t entry = column("entry"), family = column("family");
  std::map<std::string, std::string, std::less<>> families;
  while (lines.next(line)) {
    if (trim(line).empty()) continue;
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.size() <= std::max(entry, family) || cells[entry].empty() || cells[family].empty())
      fail(path, ':', lines.number(), ": the line has no entry or no family; give both, divided by tabs");
    families.insert_or_assign(std::string(cells[entry]), std::string(cells[family]));
  }
  return families;
}

}  // namespace

SiteSet read_site_set(const std::string& folder) {
  SiteSet set{.folder = folder};
  const auto path_of = [&](std::string_view name) { return (fs::path(folder) / name).string(); };
  std::map<std::string, SetEntry> by_name;
  for (const std::string& name : files_of(folder, "--set")) {
    if (name == families_file) set.has_families = true;
    if (const auto stem = stem_of(name, sites_ending)) by_name[*stem].sites = path_of(name);
    for (const std::string_view ending : {".pqr", ".pqr.gz"})
      if (const auto stem = stem_of(name, ending)) {
        SetEntry& entry = by_name[*stem];
        if (!entry.structure.empty())
          fail("--set ", folder, ": ", entry.structure, " and ", name,
               " are both the structure of one entry; remove one of them");
        entry.structure = path_of(name);
        std::error_code ignored;
        const std::uintmax_t bytes = fs::file_size(entry.structure, ignored);
        if (!ignored) entry.bytes = std::int64_t(bytes);
      }
  }
  std::map<std::string, std::string, std::less<>> families;
  if (set.has_families) families = read_families(path_of(families_file));
  set.entries.reserve(by_name.size());
  for (auto& [name, entry] : by_name) {
    if (entry.structure.empty() || entry.sites.empty()) {
      set.problems.push_back({name, entry.structure.empty()
                                        ? "there are sites but no structure; add " + name +
                                              ".pqr, or remove " + name + std::string(sites_ending)
                                        : "there is a structure but no sites; add " + name +
                                              std::string(sites_ending) + ", or remove the structure"});
      continue;
    }
    entry.name = name;
    const auto family = families.find(name);
    entry.family = family == families.end() ? "of " + name : family->second;
    if (set.has_families && family == families.end())
      set.warnings.push_back(name + ": " + std::string(families_file) +
                             " has no line of it; it counts as a family of its own");
    set.entries.push_back(std::move(entry));
  }
  if (set.entries.empty())
    fail("--set ", folder,
         ": there is no pair of NAME.pqr (or NAME.pqr.gz) and NAME.sites.pdb in it; give a folder that has "
         "some");
  return set;
}

std::vector<PlacedFiles> find_placed(const SiteSet& set, const std::string& folder) {
  std::map<std::string, std::vector<std::string>> by_label;
  for (const std::string& file : files_of(folder, "--placed"))
    for (std::size_t n = 0; n < set.entries.size(); ++n) {
      const std::string& name = set.entries[n].name;
      if (!file.starts_with(name + '.') || file.ends_with(sites_ending)) continue;
      for (const std::string_view ending : {".cif", ".gro", ".pdb"}) {
        const auto label = stem_of(std::string_view(file).substr(name.size() + 1), ending);
        if (!label) continue;
        std::vector<std::string>& files = by_label[*label];
        files.resize(set.entries.size());
        if (!files[n].empty())
          fail("--placed ", folder, ": ", fs::path(files[n]).filename().string(), " and ", file,
               " are both the ions ", *label, " of ", name, "; remove one of them, or give it another label");
        files[n] = (fs::path(folder) / file).string();
      }
    }
  if (by_label.empty())
    fail("--placed ", folder, ": there is no file NAME.LABEL.pdb (or .cif, .gro) of an entry of ", set.folder,
         "; name the files of ions so, as ", set.entries.front().name, ".mine.pdb");
  std::vector<PlacedFiles> placed;
  placed.reserve(by_label.size());
  for (auto& [label, files] : by_label) placed.push_back({label, std::move(files)});
  return placed;
}

}  // namespace ionwell
