// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

/// When an option has an effect, as data, and the one check that refuses an option without any.
///
/// A term is a state of the command line: "rdf" (the option is given), "sampler=bd" (its value is this word,
/// given or by default), or the name of a fact.
namespace ionwell {

/// The options and files of a command line by name and text.
class GivenOptions {
 public:
  struct Option {
    std::string name, value;  // the value of a flag is empty
    bool from_preset = false;
  };

  std::vector<Option> options;
  std::map<std::string, std::string> defaults;  // words of options that have one
  std::vector<std::string> files;
  std::vector<std::string> tuning;  // options that are given as --tune KEY=VALUE

  bool has(const std::string& name) const { return find(name) != nullptr; }
  /// Its value, or its default; empty without either.
  std::string value(const std::string& name) const;
  /// Null where it is not given; the last of several.
  const Option* find(const std::string& name) const;
};

/// A state that is more than one option: "a PDB file as -o".
struct OptionFact {
  std::string name;
  std::function<bool(const GivenOptions&)> holds;
};

enum class RuleKind {
  needs,         // the options have no effect unless one of the terms holds
  useless_with,  // they have no effect where one of the terms holds
  excludes,      // neither goes with the other
};

struct OptionRule {
  std::vector<std::string> options;  // each is a name, or a name and a word: "backend=gpu"
  RuleKind kind;
  std::vector<std::string> terms;
  std::string why = {};                // a clause, for the message
  std::vector<std::string> when = {};  // the rule counts where all of these terms hold
};

/// An option, or a word of one ("method=multilevel"), that has another name.
struct FormerOption {
  std::string former, now;
  std::string note = " now";  // the end of the message
};

/// The rules of a command, the facts that they name, and what options were called before.
struct OptionRules {
  std::vector<OptionRule> rules;
  std::vector<OptionFact> facts;
  std::vector<FormerOption> former{};

  void add(const OptionRules& more);
};

/// Throws UsageError that says what `option`, or the word that is its value, is called; nothing where that is
/// no other name of one.
void refuse_former(const OptionRules& rules, const std::string& option, const std::string& value);

/// Throws UsageError for the first option that a rule refuses.
void refuse_without_effect(const OptionRules& rules, const GivenOptions& given);

/// Takes the options of a preset out that a rule would refuse: those without an effect, and those that one on
/// the command line excludes. Two of the preset that exclude each other stay, and are refused.
void drop_without_effect(const OptionRules& rules, GivenOptions& given);

}  // namespace ionwell
