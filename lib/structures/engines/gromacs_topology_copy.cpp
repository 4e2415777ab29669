// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/gromacs_topology_copy.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "files/input_file.hpp"
#include "structures/gromacs/include_path.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

namespace fs = std::filesystem;

/// A file of the user, and its place in the folder.
struct CopiedFile {
  std::string path;
  fs::path name;
  std::string text;
};

bool leads_out(const fs::path& relative) {
  return relative.empty() || *relative.begin() == "..";
}

fs::path without_leading_dots(fs::path path) {
  while (leads_out(path) && !path.empty()) path = path.lexically_relative("..");
  return path;
}

class TopologyCopy {
 public:
  TopologyCopy(const std::string& path, const std::vector<std::string>& include_folders)
      : folder_(fs::path(path).parent_path().lexically_normal()), include_path_(include_folders, true) {
    fs::path name = fs::path(path).filename();
    if (name.extension() == ".gz") name.replace_extension();
    add(path, name);
    for (std::size_t i = 0; i < files_.size(); ++i) add_included(files_[i]);
  }

  std::vector<EngineFile> changed(const TopologyChanges& changes) const {
    std::vector<EngineFile> copies;
    for (const CopiedFile& file : files_) copies.push_back({file.name.string(), changed(file, changes)});
    return copies;
  }

  const CopiedFile* find(const std::string& path) const {
    const auto found =
        std::find_if(files_.begin(), files_.end(), [&](const CopiedFile& f) { return f.path == path; });
    return found == files_.end() ? nullptr : &*found;
  }

 private:
  void add(const std::string& path, const fs::path& name) {
    files_.push_back({path, name, std::string(read_input_file(path).text())});
  }

  /// Also what is included where a word is not defined now: position restraints.
  void add_included(const CopiedFile& file) {
    LineScanner lines(file.text);
    for (std::string_view line; lines.next(line);) {
      const std::string_view name = included_name(line);
      const std::optional<FoundInclude> found = own_include(name, file);
      if (found && find(found->path) == nullptr) add(found->path, free_name(name, found->path, file));
    }
  }

  /// The file that is meant, where it is to be copied.
  std::optional<FoundInclude> own_include(std::string_view name, const CopiedFile& from) const {
    if (name.empty() || fs::path(name).is_absolute()) return {};
    std::optional<FoundInclude> found = include_path_.find(name, from.path, is_file_on_disk);
    return found && found->is_installed ? std::nullopt : found;
  }

  /// The same place relative to the topology, or to the file that includes it, or one by its own name.
  fs::path free_name(std::string_view name, const std::string& path, const CopiedFile& from) const {
    fs::path wished = fs::path(path).lexically_relative(folder_.empty() ? "." : folder_);
    if (leads_out(wished)) {
      const bool is_beside = path == (fs::path(from.path).parent_path() / name).lexically_normal();
      wished = without_leading_dots(
          ((is_beside ? from.name.parent_path() : fs::path()) / name).lexically_normal());
    }
    const auto is_taken = [&](const fs::path& place) {
      return place == "conf.gro" || place == "index.ndx" ||
             std::any_of(files_.begin(), files_.end(), [&](const CopiedFile& f) { return f.name == place; });
    };
    fs::path place = wished;
    for (int n = 2; is_taken(place); ++n) place = fs::path("included_" + std::to_string(n)) / wished;
    return place;
  }

  /// The line, with the place of the copy where it includes a file that lies elsewhere now.
  std::string moved_include(std::string_view line, const CopiedFile& from) const {
    std::string moved(line);
    const std::string_view name = included_name(line);
    const std::optional<FoundInclude> found = own_include(name, from);
    if (!found) return moved;
    const fs::path parent = from.name.parent_path();
    const fs::path place = find(found->path)->name.lexically_relative(parent.empty() ? "." : parent);
    if (place == fs::path(name).lexically_normal()) return moved;
    return moved.replace(std::size_t(name.data() - line.data()), name.size(), place.string());
  }

  std::string changed(const CopiedFile& file, const TopologyChanges& changes) const {
    std::string copy;
    LineScanner lines(file.text);
    const auto append_lines = [&](const std::map<TopologyChanges::Place, std::string>& added,
                                  const TopologyChanges::Place& place) {
      if (const auto found = added.find(place); found != added.end()) copy += found->second;
    };
    for (std::string_view line; lines.next(line);) {
      const TopologyChanges::Place place{file.path, lines.number()};
      append_lines(changes.before, place);
      const auto count = changes.counts.find(place);
      if (count == changes.counts.end()) copy.append(moved_include(line, file)).append("\n");
      std::string_view part = line;
      while (trim(part).ends_with('\\') && lines.next(part))  // a backslash joins the lines behind it to this
        if (count == changes.counts.end()) copy.append(part).append("\n");
      if (count != changes.counts.end() && count->second > 0) {
        append_left(copy, take_token(line), 19);
        copy.append(" ").append(std::to_string(count->second)).append("\n");
      }
      append_lines(changes.after, place);
    }
    return copy;
  }

  fs::path folder_;  // of the topology
  GromacsIncludePath include_path_;
  std::deque<CopiedFile> files_;
};

void check_place(const TopologyChanges::Place& place, const TopologyCopy& copy, const std::string& path,
                 const GromacsTopology& topology) {
  if (place.first == path) return;
  const auto times = std::count_if(topology.included.begin(), topology.included.end(),
                                   [&](const IncludedFile& file) { return file.path == place.first; });
  if (copy.find(place.first) != nullptr && times == 1) return;
  fail<UsageError>(place.first, ':', place.second, ": this line of [ molecules ] has to change, but ", path,
                   times == 1 ? " includes its file from another folder, where ionwell changes nothing"
                              : " includes its file several times",
                   "; move the line to [ molecules ] of ", path);
}

}  // namespace

std::vector<EngineFile> copied_topology(const std::string& path, const GromacsTopology& topology,
                                        const std::vector<std::string>& include_folders,
                                        const TopologyChanges& changes) {
  const TopologyCopy copy(path, include_folders);
  for (const auto& lines : {changes.before, changes.after})
    for (const auto& [place, text] : lines) check_place(place, copy, path, topology);
  for (const auto& [place, count] : changes.counts) check_place(place, copy, path, topology);
  return copy.changed(changes);
}

}  // namespace ionwell
