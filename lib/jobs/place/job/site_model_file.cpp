// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/site_model_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text/json_nesting.hpp"
#include "electrostatics/pair_potential.hpp"
#include "files/input_file.hpp"
#include "placement/crystal_sites/magnesium_model.hpp"
#include "placement/crystal_sites/site_features.hpp"
#include "placement/crystal_sites/site_score.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format = "ionwell site model 1";

/// An object of the file; all of its keys must be asked for.
class Fields {
 public:
  Fields(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) fail(where_, ": an object in { } is needed here");
  }

  template <typename T>
  T required(const char* key) {
    if (!json_.contains(key)) fail(where_, ": \"", key, "\" is missing");
    return value<T>(key);
  }

  template <typename T>
  T optional(const char* key, const T& otherwise) {
    known_.push_back(key);
    return json_.contains(key) ? value<T>(key) : otherwise;
  }

  const Json* part(const char* key) {
    known_.push_back(key);
    return json_.contains(key) ? &json_.at(key) : nullptr;
  }

  /// Throws for keys that nobody asked for: misspelt ones.
  void check() const {
    for (const auto& [key, unused] : json_.items())
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        fail(where_, ": \"", key, "\" is not a part of it; correct the name or leave it out");
  }

  const std::string& where() const { return where_; }

 private:
  template <typename T>
  T value(const char* key) {
    known_.push_back(key);
    try {
      return json_.at(key).template get<T>();
    } catch (const Json::exception&) {
      fail(where_, ": \"", key, "\" is ", json_.at(key).dump(), ", which is not a ",
           std::is_same_v<T, double> ? "number" : "text");
    }
  }

  const Json& json_;
  std::string where_;
  std::vector<std::string> known_;
};

SiteAtomClasses classes_of(const Json* atoms, const std::string& where) {
  if (atoms == nullptr || *atoms == "heavy") return heavy_atoms;
  if (!atoms->is_array() || atoms->empty())
    fail(where, ": \"atoms\" is ", atoms->dump(), "; it is \"heavy\" or a list of classes of atoms");
  SiteAtomClasses classes = 0;
  for (const Json& name : *atoms) {
    const auto known = std::find(site_atom_class_names.begin(), site_atom_class_names.end(),
                                 name.is_string() ? name.get<std::string>() : std::string());
    if (known == site_atom_class_names.end()) {
      std::string names;
      for (const std::string_view one : site_atom_class_names)
        names += (names.empty() ? "" : ", ") + std::string(one);
      fail(where, ": ", name.dump(), " is not a class of atoms; the classes are ", names);
    }
    classes |= SiteAtomClasses(1) << (known - site_atom_class_names.begin());
  }
  return classes;
}

/// A column of a tree: as many numbers as the others have.
template <typename T>
std::vector<T> column_of(const Json& tree, const char* name, std::size_t size, const std::string& where) {
  const auto column = tree.find(name);
  if (column == tree.end() || !column->is_array() || (size > 0 && column->size() != size))
    fail(where, ": \"", name, "\" must be a list with a number for each node of the tree");
  try {
    return column->get<std::vector<T>>();
  } catch (const Json::exception&) {
    fail(where, ": \"", name, "\" contains something that is not a number");
  }
}

std::vector<BoostedTrees::Node> tree_of(const Json& tree, const std::string& where) {
  const auto features = column_of<std::int32_t>(tree, "feature", 0, where);
  const std::size_t size = features.size();
  const auto thresholds = column_of<double>(tree, "threshold", size, where);
  const auto left = column_of<std::uint32_t>(tree, "left", size, where);
  const auto right = column_of<std::uint32_t>(tree, "right", size, where);
  const auto values = column_of<double>(tree, "value", size, where);
  std::vector<BoostedTrees::Node> nodes;
  nodes.reserve(size);
  for (std::size_t n = 0; n < size; ++n)
    nodes.push_back({features[n], float(thresholds[n]), left[n], right[n], values[n]});
  return nodes;
}

std::vector<SiteScore::Recall> recall_of(const Json& json, const std::string& where) {
  std::vector<SiteScore::Recall> recall;
  try {
    for (const auto& [probability, share] : json.get<std::vector<std::pair<double, double>>>())
      recall.push_back({probability, share});
  } catch (const Json::exception&) {
    recall.clear();
  }
  for (std::size_t n = 0; n < recall.size(); ++n)
    if (!(recall[n].share >= 0.0 && recall[n].share <= 1.0) ||
        (n > 0 && !(recall[n].probability > recall[n - 1].probability)))
      recall.resize(n);
  if (recall.size() < 2 || recall.size() != json.size())
    fail(where,
         ": \"recall\" must be a list of two or more pairs, a probability and the share of the sites found "
         "down "
         "to it, from 0 to 1; probabilities rise");
  return recall;
}

std::shared_ptr<const SiteScore> score_of(const Json& json, const std::string& where) {
  Fields fields(json, where);
  auto score = std::make_shared<SiteScore>();
  score->points_per_heavy_atom = fields.required<double>("points_per_heavy_atom");
  if (!(score->points_per_heavy_atom > 0.0 && score->points_per_heavy_atom <= 1000.0))
    fail(where, ": \"points_per_heavy_atom\" is ", score->points_per_heavy_atom,
         "; it must be above 0 and at most 1000");
  score->intercept = fields.required<double>("intercept");
  score->slope = fields.required<double>("slope");
  if (const Json* const recall = fields.part("recall")) score->recall = recall_of(*recall, where);
  const auto baseline = fields.required<double>("baseline");
  const Json* const names = fields.part("features");
  const auto is_known = [&] {
    if (names == nullptr || !names->is_array() || names->size() != std::size_t(site_feature_count))
      return false;
    for (int f = 0; f < site_feature_count; ++f)
      if ((*names)[std::size_t(f)] != site_feature_name(f)) return false;
    return true;
  };
  if (!is_known())
    fail(where,
         ": \"features\" are not those of this version of ionwell; fit the score again with its "
         "scripts/fit-sites");
  const Json* const list = fields.part("trees");
  if (list == nullptr || !list->is_array() || list->empty())
    fail(where, ": \"trees\" must be a list of trees");
  std::vector<std::vector<BoostedTrees::Node>> trees;
  trees.reserve(list->size());
  for (const Json& tree : *list)
    trees.push_back(tree_of(tree, where + ", tree " + std::to_string(trees.size() + 1)));
  fields.check();
  try {
    score->trees = BoostedTrees(baseline, trees, site_feature_count);
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  return score;
}

SiteModel model_of(const Json& json, const std::string& name) {
  Fields fields(json, name);
  const std::string version = fields.required<std::string>("format");
  if (version != format) fail(name, ": its format is \"", version, "\", and \"", format, "\" is needed");
  SiteModel model = magnesium_site_model();
  model.ion = fields.required<std::string>("ion");
  model.charge_e = fields.required<double>("charge_e");
  model.dielectric = fields.optional("dielectric", model.dielectric);
  model.ionic_strength_M = fields.optional("ionic_strength_M", model.ionic_strength_M);
  model.cutoff_A = fields.optional("cutoff_A", model.cutoff_A);
  model.basin_width_A = fields.optional("basin_width_A", model.basin_width_A);
  model.ion_heavy_atom_A = fields.optional("ion_heavy_atom_A", model.ion_heavy_atom_A);
  model.ion_ion_A = fields.optional("ion_ion_A", model.ion_ion_A);
  model.provenance = fields.optional("provenance", "of " + name);
  const Json* const terms = fields.part("terms");
  if (terms == nullptr || !terms->is_array())
    fail(name, ": \"terms\" must be a list, [ ] for screened charges alone");
  model.terms.clear();
  for (const Json& term : *terms) {
    Fields parts(term, name + ", term " + std::to_string(model.terms.size() + 1));
    model.terms.push_back({.atoms = classes_of(parts.part("atoms"), parts.where()),
                           .energy_kT = parts.required<double>("energy_kT"),
                           .centre_A = parts.optional("centre_A", 0.0),
                           .width_A = parts.required<double>("width_A")});
    parts.check();
  }
  if (const Json* const score = fields.part("score")) model.score = score_of(*score, name + ", score");
  fields.check();
  return model;
}

}  // namespace

SiteModel parse_site_model(std::string_view text, const std::string& name) {
  if (is_nested_too_deep(text))
    fail(name, ": is nested more than ", deepest_json, " deep, which a site model is not");
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    fail(name, ": is not valid JSON, so it is not a site model: ", error.what());
  }
  SiteModel model = model_of(json, name);
  try {
    validate(model);
    pair_potential(
        ElectrostaticsOptions{.dielectric = model.dielectric, .ionic_strength_M = model.ionic_strength_M});
  } catch (const Error& error) {
    fail(name, ": ", error.what());
  }
  return model;
}

const SiteModel& learned_site_model() {
  static const SiteModel model = parse_site_model(magnesium_model_text(), "the built-in site model");
  return model;
}

SiteModel read_site_model(const std::string& path) {
  const FileBytes bytes = read_input_file(path);
  return parse_site_model(bytes.text(), path);
}

}  // namespace ionwell
