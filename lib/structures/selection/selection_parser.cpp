// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <optional>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/nearest_words.hpp"
#include "core/text/numbers.hpp"
#include "structures/selection/selection.hpp"

namespace ionwell {
namespace {

struct Word {
  std::string_view text;  // without quotes
  std::size_t begin = 0, end = 0;
  bool is_quoted = false;

  bool is(std::string_view other) const { return !is_quoted && text == other; }
};

bool is_separator(char c) {
  return is_blank(c) || c == '\n';
}
bool ends_word(char c) {
  return is_separator(c) || c == '(' || c == ')';
}

/// What begins a term, and what it is.
struct Term {
  std::string_view word;
  enum class Form {
    fixed,
    labels,
    residue_ids,
    residue_numbers,
    indices,
    around,
    within,
    by_residue,
    same,
    no
  } form;
  decltype(SelectionStep::what) what = Negation{};
};

const std::vector<Term>& terms() {
  using Form = Term::Form;
  static const std::vector<Term> all{
      {"all", Form::fixed, Everything{true}},
      {"none", Form::fixed, Everything{false}},
      {"protein", Form::fixed, OfKind{ResidueKind::protein}},
      {"nucleic", Form::fixed, OfKind{ResidueKind::nucleic_acid}},
      {"lipid", Form::fixed, OfKind{ResidueKind::lipid}},
      {"water", Form::fixed, OfKind{ResidueKind::water}},
      {"ion", Form::fixed, OfKind{ResidueKind::ion}},
      {"additive", Form::fixed, IsAdditive{}},
      {"backbone", Form::fixed, OfKind{ResidueKind::protein, true}},
      {"nucleicbackbone", Form::fixed, OfKind{ResidueKind::nucleic_acid, true}},
      {"chain", Form::labels, HasLabel{LabelField::chain, {}}},
      {"chainID", Form::labels, HasLabel{LabelField::chain, {}}},
      {"segid", Form::labels, HasLabel{LabelField::segment, {}}},
      {"segment", Form::labels, HasLabel{LabelField::segment, {}}},
      {"resname", Form::labels, HasLabel{LabelField::residue, {}}},
      {"name", Form::labels, HasLabel{LabelField::name, {}}},
      {"element", Form::labels, HasLabel{LabelField::element, {}}},
      {"resid", Form::residue_ids},
      {"resnum", Form::residue_numbers},
      {"index", Form::indices, HasIndex{{}, 0}},
      {"bynum", Form::indices, HasIndex{{}, 1}},
      {"around", Form::around},
      {"within", Form::within},
      {"byres", Form::by_residue},
      {"same", Form::same},
      {"not", Form::no},
  };
  return all;
}

const Term* find_term(const Word& word) {
  const auto found =
      std::find_if(terms().begin(), terms().end(), [&](const Term& term) { return word.is(term.word); });
  return found == terms().end() ? nullptr : &*found;
}

bool is_operator(const Word& word) {
  return word.is("and") || word.is("or");
}

class SelectionParser {
 public:
  explicit SelectionParser(std::string_view text) : text_(text) { advance(); }

  std::vector<SelectionStep> parse() {
    if (at_end()) complain("it is empty; write 'all' for all atoms");
    parse_expression();
    if (!at_end())
      complain_about_word("'and', 'or' or the end",
                          word_.is(")") ? "there is no '(' for it" : "join terms by 'and' or 'or'");
    return std::move(steps_);
  }

 private:
  bool at_end() const { return word_.begin == text_.size(); }
  bool ends_values() const {
    return at_end() || word_.is("(") || word_.is(")") || is_operator(word_) || find_term(word_) != nullptr;
  }

  [[noreturn]] void complain(const std::string& problem) const {
    refuse_selection(text_, word_.begin, problem);
  }
  [[noreturn]] void complain_about_word(const std::string& expected, const std::string& way_out) const {
    complain("expected " + expected + ", found " + (at_end() ? "the end" : quote(word_.text)) + "; " +
             way_out);
  }

  /// Goes to the next word; at the end it is empty and begins there.
  void advance() {
    std::size_t begin = word_.end;
    while (begin < text_.size() && is_separator(text_[begin])) ++begin;
    if (begin == text_.size()) {
      word_ = {{}, begin, begin, false};
    } else if (text_[begin] == '(' || text_[begin] == ')') {
      word_ = {text_.substr(begin, 1), begin, begin + 1, false};
    } else if (text_[begin] == '"' || text_[begin] == '\'') {
      advance_to_quoted(begin);
    } else {
      std::size_t end = begin;
      while (end < text_.size() && !ends_word(text_[end])) ++end;
      word_ = {text_.substr(begin, end - begin), begin, end, false};
    }
  }

  /// A quote within a name is part of it: 'O5''.
  void advance_to_quoted(std::size_t begin) {
    for (std::size_t end = begin + 1; end < text_.size(); ++end) {
      if (text_[end] != text_[begin] || (end + 1 < text_.size() && !ends_word(text_[end + 1]))) continue;
      word_ = {text_.substr(begin + 1, end - begin - 1), begin, end + 1, true};
      return;
    }
    refuse_selection(text_, begin, "this quote is not closed; close it at the end of the name");
  }

  void add(decltype(SelectionStep::what) what, std::size_t position) {
    steps_.push_back({std::move(what), position});
  }

  /// Terms joined by and, or.
  void parse_expression() {
    parse_term();
    bool after_or = false;
    while (is_operator(word_)) {
      const bool is_or = word_.is("or");
      if (ends_with_within_)
        complain(
            "'" + std::string(word_.text) +
            "' after 'within' may belong to its selection or not; put parentheses around one of the two");
      if (after_or && !is_or) complain("programs differ in how they read 'and' after 'or'; use parentheses");
      after_or = after_or || is_or;
      const std::size_t position = word_.begin;
      advance();
      parse_term();
      add(is_or ? decltype(SelectionStep::what)(Disjunction{}) : Conjunction{}, position);
    }
  }

  void parse_term() {
    constexpr int deepest = 100;
    if (++depth_ > deepest)
      complain("it is nested more than " + std::to_string(deepest) + " deep; simplify it");
    if (word_.is("(")) {
      advance();
      parse_expression();
      if (!word_.is(")")) complain_about_word("')'", "close the parenthesis");
      advance();
      ends_with_within_ = false;
    } else if (const Term* const term = find_term(word_)) {
      parse_words_of(*term);
    } else {
      complain_about_missing_term();
    }
    --depth_;
  }

  [[noreturn]] void complain_about_missing_term() const {
    if (word_.is("type"))
      complain(
          "'type' cannot be selected, because ionwell does not keep atom types; select by name or element");
    std::vector<std::string_view> words;
    for (const Term& term : terms()) words.push_back(term.word);
    constexpr std::size_t most = 5;
    complain_about_word("a term", "it begins with one of " + nearest_first(word_.text, words, most));
  }

  void parse_words_of(const Term& term) {
    using Form = Term::Form;
    const std::size_t position = word_.begin;
    advance();
    ends_with_within_ = false;
    switch (term.form) {
      case Form::fixed:
        return add(term.what, position);
      case Form::labels: {
        const LabelField field = std::get<HasLabel>(term.what).field;
        return add(HasLabel{field, parse_patterns(field), negations_ > 0}, position);
      }
      case Form::residue_ids:
        return add(
            HasResidueId{parse_ranges<ResidueId>([](const ResidueId& id) { return std::optional(id); })},
            position);
      case Form::residue_numbers:
        return add(HasResidueNumber{parse_ranges<std::int64_t>(without_insertion_code)}, position);
      case Form::indices:
        return add(
            HasIndex{parse_ranges<std::int64_t>(without_insertion_code), std::get<HasIndex>(term.what).first},
            position);
      case Form::around: {
        const double distance_A = parse_distance();
        parse_expression();
        return add(Within{distance_A, true}, position);
      }
      case Form::within: {
        const double distance_A = parse_distance();
        expect("of");
        parse_term();
        ends_with_within_ = true;
        return add(Within{distance_A, false}, position);
      }
      case Form::by_residue:
        parse_expression();
        return add(SameResidue{}, position);
      case Form::same: {
        auto what = parse_same();
        expect("as");
        parse_expression();
        return add(std::move(what), position);
      }
      case Form::no:
        ++negations_;
        parse_term();
        --negations_;
        return add(Negation{}, position);
    }
  }

  void expect(std::string_view expected) {
    if (!word_.is(expected)) complain_about_word("'" + std::string(expected) + "'", "write it there");
    advance();
  }

  double parse_distance() {
    const std::optional<double> distance_A = word_.is_quoted ? std::nullopt : parse_number(word_.text);
    if (!distance_A || !(*distance_A >= 0.0))
      complain_about_word("a distance in A, 0 or more", "write a number");
    advance();
    return *distance_A;
  }

  decltype(SelectionStep::what) parse_same() {
    const Term* const term = find_term(word_);
    decltype(SelectionStep::what) what = SameResidue{};
    if (term != nullptr && term->form == Term::Form::labels) {
      what = SameLabel{std::get<HasLabel>(term->what).field};
    } else if (!word_.is("residue")) {
      complain_about_word("the property that is the same",
                          "write residue, chain, segment, resname, name or element");
    }
    advance();
    return what;
  }

  std::vector<LabelPattern> parse_patterns(LabelField field) {
    if (ends_values()) complain_about_word("a name", "write one, in quotes if it is a word of selections");
    std::vector<LabelPattern> patterns;
    for (; !ends_values(); advance()) {
      std::string text(word_.text);
      if (field == LabelField::element)
        for (char& c : text)
          if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
      const bool has_wildcards = !word_.is_quoted && text.find_first_of("*?[") != text.npos;
      patterns.push_back({std::move(text), has_wildcards});
    }
    return patterns;
  }

  static std::optional<std::int64_t> without_insertion_code(const ResidueId& id) {
    return id.insertion_code == ' ' ? std::optional<std::int64_t>(id.number) : std::nullopt;
  }

  /// Numbers and ranges up to the next word of selections; 1 -5 are two numbers, 1-5, 1 - 5, 1:5 and 1 to 5 a
  /// range.
  template <typename Value, typename Convert>
  std::vector<ValueRange<Value>> parse_ranges(const Convert& convert) {
    if (ends_values()) complain_about_word("a number", "write one, or a range such as 1:10");
    const std::size_t begin = word_.begin;
    std::size_t end = begin;
    for (; !ends_values(); advance()) end = word_.end;
    const std::string_view text = text_.substr(0, end);
    std::vector<ValueRange<Value>> ranges;
    std::size_t at = begin;
    const auto skip_spaces = [&] {
      while (at < end && is_separator(text[at])) ++at;
    };
    const auto take = [&] {
      const std::size_t first = at;
      if (at < end && text[at] == '-') ++at;
      while (at < end && is_digit(text[at])) ++at;
      if (at < end && is_letter(text[at])) ++at;
      const std::optional<ResidueId> id = parse_residue_id(text.substr(first, at - first));
      const std::optional<Value> value = id ? convert(*id) : std::nullopt;
      if (!value || (at < end && !is_separator(text[at]) && text[at] != ':' && text[at] != '-'))
        refuse_selection(text_, first,
                         quote(text.substr(first, std::min(text.find(' ', first), end) - first)) +
                             " is not a valid number here; write numbers such as 5, or ranges such as 1:10");
      return *value;
    };
    while (skip_spaces(), at < end) {
      const std::size_t position = at;
      const Value first = take();
      Value last = first;
      const bool touches = at < end && !is_separator(text[at]);
      skip_spaces();
      const std::string_view left = text.substr(at);
      const bool is_minus = left.starts_with('-') && (touches || left.size() == 1 || !is_digit(left[1]));
      const bool is_to = left.starts_with("to") && (left.size() == 2 || is_separator(left[2]));
      if (left.starts_with(':') || is_minus || is_to) {
        at += is_to ? 2 : 1;
        skip_spaces();
        last = take();
      }
      if (last < first) refuse_selection(text_, position, "this range ends before it begins; swap its ends");
      ranges.push_back({first, last});
    }
    return ranges;
  }

  std::string_view text_;
  Word word_;
  std::vector<SelectionStep> steps_;
  int depth_ = 0, negations_ = 0;  // parentheses and terms, and of these the `not`, around the present word
  bool ends_with_within_ = false;  // what was read so far, outside of parentheses
};

}  // namespace

void refuse_selection(std::string_view selection, std::size_t position, const std::string& problem) {
  fail<UsageError>("selection ", quote(selection), ", character ", position + 1, ": ", problem);
}

Selection parse_selection(std::string_view text) {
  return {std::string(text), SelectionParser(text).parse()};
}

}  // namespace ionwell
