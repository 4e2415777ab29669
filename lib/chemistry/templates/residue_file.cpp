// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/templates/residue_file.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "chemistry/templates/residue_draft.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

std::optional<ResidueClass> find_class(std::string_view word) {
  for (const ResidueClass kind : {ResidueClass::amino_acid, ResidueClass::rna, ResidueClass::dna,
                                  ResidueClass::cap, ResidueClass::water, ResidueClass::polyatomic_ion})
    if (word == to_string(kind)) return kind;
  return std::nullopt;
}

std::optional<ChainEnd> find_end(std::string_view word) {
  for (auto n = int(ChainEnd::none) + 1; n <= int(ChainEnd::three_hydroxyl); ++n)
    if (word == to_string(ChainEnd(n))) return ChainEnd(n);
  return std::nullopt;
}

bool is_first_end(ChainEnd end) {
  return end < ChainEnd::c_terminal;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::string_view word = take_token(text);
    if (word.empty()) return words;
    words.push_back(word);
  }
}

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A residue or one of its variants.
struct DraftedResidue {
  std::int64_t line = 0;
  Label name, residue;
  ResidueClass kind = ResidueClass::amino_acid;
  char code = '?';
  ResidueDraft draft;
};

struct EndRule {
  ChainEnd end = ChainEnd::none, other = ChainEnd::none;  // other: of the two ends that have a name together
  std::vector<std::string_view> of, but;
  std::vector<ResidueEdit> edits;

  bool is_for(const DraftedResidue& residue) const {
    if (contains(but, residue.residue.view())) return false;
    return contains(of, residue.residue.view()) || contains(of, to_string(residue.kind));
  }
};

class ResidueFileReader {
 public:
  ResidueFileReader(std::string_view path, std::string_view text) : path_(path), lines_(text) {}

  ResidueFile read() {
    for (std::string_view text; lines_.next(text);) {
      const std::string_view words = trim(text.substr(0, text.find('#')));
      if (words.empty()) continue;
      if (is_blank(text[0]))
        edit(words);
      else
        begin(words);
    }
    file_.templates = templates();
    return std::move(file_);
  }

 private:
  template <typename... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail(path_, ':', lines_.number(), ": ", parts...);
  }

  void begin(std::string_view text) {
    const auto words = words_of(text);
    const std::string_view what = words[0];
    edited_ = nullptr;
    edits_of_end_ = nullptr;
    if (words.size() < 2) refuse(quote(what), " alone has no meaning; see residue_file.hpp");
    if (what == "schemes") return check_schemes(words);
    if (what == "lists" && !fragments_.empty()) refuse("lists are named before the first fragment");
    if (what == "lists") return lists_.insert(lists_.end(), words.begin() + 1, words.end()), void();
    if (what == "known") return file_.known.push_back({words[1], {words.begin() + 2, words.end()}});
    if (what == "ions") return file_.ions.push_back({words[1], {words.begin() + 2, words.end()}});
    if (what == "fragment") return begin_fragment(words);
    if (what == "residue") return begin_residue(words);
    if (what == "variant") return begin_variant(words);
    if (what == "end") return begin_end(words);
    refuse(quote(what), " does not begin a block; use fragment, residue, variant, end, ions or known");
  }

  void check_schemes(const std::vector<std::string_view>& words) const {
    for (std::size_t n = 0; n < naming_schemes; ++n)
      if (n + 1 >= words.size() || words[n + 1] != to_string(NamingScheme(n)))
        refuse("scheme ", n + 1, " is not ", to_string(NamingScheme(n)),
               ", as NamingScheme in residue_template.hpp has it");
  }

  DraftedResidue* find_residue(std::string_view name) {
    const auto found = std::find_if(residues_.begin(), residues_.end(),
                                    [&](const auto& r) { return r->name.view() == name; });
    return found == residues_.end() ? nullptr : found->get();
  }

  const ResidueDraft& fragment(std::string_view name) {
    const auto found =
        std::find_if(fragments_.begin(), fragments_.end(), [&](const auto& f) { return f.first == name; });
    if (found != fragments_.end()) return *found->second;
    const DraftedResidue* const residue = find_residue(name);
    if (residue == nullptr) refuse("there is no fragment or residue ", quote(name), " above");
    return residue->draft;
  }

  /// A draft of the fragments after the sign =, up to `end`.
  ResidueDraft made_of(const std::vector<std::string_view>& words, std::size_t end) {
    ResidueDraft draft(path_, lists_);
    if (words.size() > 2 && words[2] == "=")
      for (std::size_t n = 3; n < end; ++n) draft.add(fragment(words[n]));
    return draft;
  }

  void begin_fragment(const std::vector<std::string_view>& words) {
    fragments_.emplace_back(words[1], std::make_unique<ResidueDraft>(made_of(words, words.size())));
    edited_ = fragments_.back().second.get();
  }

  void begin_residue(const std::vector<std::string_view>& words) {
    const auto kind_at =
        std::size_t(std::find_if(words.begin() + 2, words.end(),
                                 [](std::string_view w) { return find_class(w).has_value(); }) -
                    words.begin());
    if (kind_at == words.size())
      refuse("residue ", words[1], " has no class (amino_acid, rna, dna, cap, water, polyatomic_ion)");
    if (find_residue(words[1]) != nullptr) refuse("there is a residue ", words[1], " above");
    const char code = kind_at + 1 < words.size() ? words[kind_at + 1][0] : '?';
    residues_.push_back(std::make_unique<DraftedResidue>(DraftedResidue{
        lines_.number(), words[1], words[1], *find_class(words[kind_at]), code, made_of(words, kind_at)}));
    edited_ = &residues_.back()->draft;
  }

  void begin_variant(const std::vector<std::string_view>& words) {
    if (words.size() != 4 || words[2] != "of") refuse("write: variant ASH of ASP");
    const DraftedResidue* const base = find_residue(words[3]);
    if (base == nullptr) refuse("there is no residue ", quote(words[3]), " above");
    if (find_residue(words[1]) != nullptr) refuse("there is a residue ", words[1], " above");
    residues_.push_back(std::make_unique<DraftedResidue>(*base));
    residues_.back()->line = lines_.number();
    residues_.back()->name = words[1];
    edited_ = &residues_.back()->draft;
    edited_->begin_variant();
  }

  void begin_end(const std::vector<std::string_view>& words) {
    EndRule rule;
    if (words.size() == 5 && words[2] == "=") {
      const auto first = find_end(words[3]), last = find_end(words[4]);
      if (!first || !last || !is_first_end(*first) || is_first_end(*last))
        refuse(quote(words[3]), " and ", quote(words[4]), " are not the first and last end of a chain");
      rule.end = *first;
      rule.other = *last;
    } else {
      const auto end = find_end(words[1]);
      if (!end) refuse(quote(words[1]), " is not an end that ChainEnd in residue_template.hpp has");
      if (words.size() < 4 || words[2] != "of") refuse("write: end n_terminal of amino_acid but PRO");
      rule.end = *end;
      bool is_exception = false;
      for (std::size_t n = 3; n < words.size(); ++n) {
        if (words[n] == "but")
          is_exception = true;
        else if (!find_class(words[n]) && find_residue(words[n]) == nullptr)
          refuse(quote(words[n]), " is neither a class nor a residue above");
        else
          (is_exception ? rule.but : rule.of).push_back(words[n]);
      }
    }
    ends_.push_back(std::move(rule));
    edits_of_end_ = &ends_.back().edits;
  }

  void edit(std::string_view words) {
    const ResidueEdit made{lines_.number(), words};
    if (edits_of_end_ != nullptr)
      edits_of_end_->push_back(made);
    else if (edited_ != nullptr)
      edited_->apply(made);
    else
      refuse("there is no block above this line that it could change");
  }

  const EndRule* rule_of(const DraftedResidue& residue, ChainEnd end) const {
    const auto found = std::find_if(ends_.rbegin(), ends_.rend(), [&](const EndRule& rule) {
      return rule.end == end && rule.other == ChainEnd::none && rule.is_for(residue);
    });
    return found == ends_.rend() ? nullptr : &*found;
  }

  std::vector<ChainEnd> ends_of(const DraftedResidue& residue, bool first) const {
    std::vector<ChainEnd> ends{ChainEnd::none};
    for (auto n = int(ChainEnd::none) + 1; n <= int(ChainEnd::three_hydroxyl); ++n)
      if (is_first_end(ChainEnd(n)) == first && rule_of(residue, ChainEnd(n)) != nullptr)
        ends.push_back(ChainEnd(n));
    return ends;
  }

  ResidueTemplate at_ends(const DraftedResidue& residue, ChainEnds ends) const {
    ResidueDraft draft = residue.draft;
    draft.begin_end(ResidueDraft::EndPattern::of_one_end);
    for (const ChainEnd end : {ends.first, ends.last})
      if (end != ChainEnd::none)
        for (const ResidueEdit& made : rule_of(residue, end)->edits) draft.apply(made);
    draft.begin_end(ResidueDraft::EndPattern::of_both_ends);
    for (const EndRule& rule : ends_)
      if (rule.other != ChainEnd::none && rule.end == ends.first && rule.other == ends.last)
        for (const ResidueEdit& made : rule.edits) draft.apply(made);
    ResidueTemplate made = draft.finish(residue.line, residue.name, residue.residue, ends);
    made.kind = residue.kind;
    made.code = residue.code;
    return made;
  }

  std::vector<ResidueTemplate> templates() const {
    std::vector<ResidueTemplate> made;
    for (const auto& residue : residues_)
      for (const ChainEnd first : ends_of(*residue, true))
        for (const ChainEnd last : ends_of(*residue, false)) made.push_back(at_ends(*residue, {first, last}));
    return made;
  }

  std::string_view path_;
  LineScanner lines_;
  ResidueFile file_;
  std::vector<Label> lists_;
  std::vector<std::pair<std::string_view, std::unique_ptr<ResidueDraft>>> fragments_;
  std::vector<std::unique_ptr<DraftedResidue>> residues_;
  std::vector<EndRule> ends_;
  ResidueDraft* edited_ = nullptr;  // what the next edits change, or
  std::vector<ResidueEdit>* edits_of_end_ = nullptr;
};

}  // namespace

ResidueFile read_residue_file(std::string_view path, std::string_view text) {
  return ResidueFileReader(path, text).read();
}

}  // namespace ionwell
