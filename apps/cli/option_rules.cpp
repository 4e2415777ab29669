// SPDX-License-Identifier: BSD-3-Clause
#include "cli/option_rules.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace ionwell {
namespace {

/// "sampler=bd" in its parts; the word may be empty.
struct NameAndWord {
  explicit NameAndWord(const std::string& term)
      : name(term.substr(0, term.find('='))),
        word(name.size() < term.size() ? term.substr(name.size() + 1) : std::string()) {}
  std::string name, word;
};

const OptionFact* fact_named(const OptionRules& rules, const std::string& term) {
  const auto found = std::find_if(rules.facts.begin(), rules.facts.end(),
                                  [&](const OptionFact& fact) { return fact.name == term; });
  return found == rules.facts.end() ? nullptr : &*found;
}

bool holds(const OptionRules& rules, const GivenOptions& given, const std::string& term) {
  if (const OptionFact* const fact = fact_named(rules, term)) return fact->holds(given);
  const NameAndWord is(term);
  return is.word.empty() ? given.has(is.name) : given.value(is.name) == is.word;
}

/// An option that a rule refuses, and what it is refused for: a term that holds, empty for those of `needs`.
struct RuleBreach {
  const OptionRule* rule;
  std::string option, term;
};

std::vector<RuleBreach> breaches(const OptionRules& rules, const GivenOptions& given) {
  std::vector<RuleBreach> found;
  const auto is_true = [&](const std::string& term) { return holds(rules, given, term); };
  for (const OptionRule& rule : rules.rules) {
    std::vector<std::string> options = rule.options;
    std::erase_if(options, [&](const std::string& option) {
      return !given.has(NameAndWord(option).name) || !is_true(option);
    });
    if (options.empty()) continue;  // a fact is asked where it matters only
    if (!std::all_of(rule.when.begin(), rule.when.end(), is_true)) continue;
    const auto term = std::find_if(rule.terms.begin(), rule.terms.end(), is_true);
    if ((rule.kind == RuleKind::needs) != (term == rule.terms.end())) continue;
    for (const std::string& option : options)
      found.push_back({&rule, option, rule.kind == RuleKind::needs ? std::string() : *term});
  }
  return found;
}

std::string called(const GivenOptions& given, const NameAndWord& option) {
  const bool is_key = std::find(given.tuning.begin(), given.tuning.end(), option.name) != given.tuning.end();
  if (option.name == "output") return "-o";
  return (is_key ? "--tune " : "--") + option.name +
         (option.word.empty() ? "" : (is_key ? "=" : " ") + option.word);
}

/// "--pb own or apbs", "--map or a file with a cell".
std::string listed(const OptionRules& rules, const GivenOptions& given,
                   const std::vector<std::string>& terms) {
  std::string text, last;
  for (const std::string& term : terms) {
    const NameAndWord is(term);
    const bool is_fact = fact_named(rules, term) != nullptr;
    text += text.empty() ? "" : " or ";
    text += is_fact ? term : is.name == last ? is.word : called(given, is);
    last = is_fact ? std::string() : is.name;
  }
  return text;
}

[[noreturn]] void refuse(const OptionRules& rules, const GivenOptions& given, const RuleBreach& breach) {
  const OptionRule& rule = *breach.rule;
  const std::string option = called(given, NameAndWord(breach.option));
  const std::string why = rule.why.empty() ? std::string() : ": " + rule.why;
  if (rule.kind == RuleKind::needs) {
    const bool can_be_added = std::any_of(rule.terms.begin(), rule.terms.end(), [&](const std::string& term) {
      return fact_named(rules, term) == nullptr;
    });
    fail<UsageError>(option, " has no effect without ", listed(rules, given, rule.terms), why, "; ",
                     can_be_added ? "add " + std::string(rule.terms.size() > 1 ? "one" : "it") +
                                        ", or leave " + option + " out"
                                  : "leave it out");
  }
  const bool is_fact = fact_named(rules, breach.term) != nullptr;
  fail<UsageError>(option, rule.kind == RuleKind::excludes ? " cannot be used with " : " has no effect with ",
                   is_fact ? breach.term : called(given, NameAndWord(breach.term)), why, "; leave ",
                   is_fact ? "it" : "one of them", " out");
}

}  // namespace

const GivenOptions::Option* GivenOptions::find(const std::string& name) const {
  const auto found = std::find_if(options.rbegin(), options.rend(),
                                  [&](const Option& option) { return option.name == name; });
  return found == options.rend() ? nullptr : &*found;
}

std::string GivenOptions::value(const std::string& name) const {
  if (const Option* const option = find(name)) return option->value;
  const auto usual = defaults.find(name);
  return usual == defaults.end() ? std::string() : usual->second;
}

void OptionRules::add(const OptionRules& more) {
  rules.insert(rules.end(), more.rules.begin(), more.rules.end());
  facts.insert(facts.end(), more.facts.begin(), more.facts.end());
  former.insert(former.end(), more.former.begin(), more.former.end());
}

void refuse_former(const OptionRules& rules, const std::string& option, const std::string& value) {
  for (const auto& [former, now, note] : rules.former)
    if (former == option || former == option + '=' + value)
      fail<UsageError>(called({}, NameAndWord(former)), " is ", called({}, NameAndWord(now)), note);
}

void refuse_without_effect(const OptionRules& rules, const GivenOptions& given) {
  const std::vector<RuleBreach> found = breaches(rules, given);
  if (!found.empty()) refuse(rules, given, found.front());
}

void drop_without_effect(const OptionRules& rules, GivenOptions& given) {
  const auto is_typed = [&](const std::string& option) {
    const GivenOptions::Option* const found = given.find(NameAndWord(option).name);
    return found != nullptr && !found->from_preset;
  };
  const auto drop_one = [&] {  // what depends on it then has no effect either
    for (const RuleBreach& breach : breaches(rules, given)) {
      std::string dropped = breach.option;
      if (breach.rule->kind == RuleKind::excludes) {
        if (is_typed(breach.option) == is_typed(breach.term)) continue;
        if (is_typed(breach.option)) dropped = breach.term;
      }
      if (is_typed(dropped)) continue;
      const std::string name = NameAndWord(dropped).name;
      if (std::erase_if(given.options, [&](const auto& option) { return option.name == name; }) > 0)
        return true;
    }
    return false;
  };
  while (drop_one()) {
  }
}

}  // namespace ionwell
