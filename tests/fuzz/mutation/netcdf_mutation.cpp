// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "fuzz/mutation/mutation.hpp"

// The header of a classic NetCDF file, after the specification of its format ("NetCDF Classic Format
// Specifications"): numbers are big-endian, names and values are filled up to four bytes.
namespace ionwell::test {
namespace {

struct NotNetcdf {};

enum Tag : std::uint32_t { dimensions_tag = 10, variables_tag = 11, attributes_tag = 12 };

struct Dimension {
  std::string name;
  std::uint64_t length;
};
struct Attribute {
  std::string name;
  std::uint32_t type;
  std::uint64_t count;
  std::string values;
};
struct Variable {
  std::string name;
  std::vector<std::uint64_t> dimensions;
  std::vector<Attribute> attributes;
  std::uint32_t type;
  std::uint64_t bytes, begin;
};

std::size_t filled(std::size_t bytes) {
  return (bytes + 3) / 4 * 4;
}

std::size_t bytes_of_type(std::uint32_t type) {
  constexpr std::size_t bytes[] = {1, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  if (type < 1 || type > 11) throw NotNetcdf();
  return bytes[type];
}

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view bytes) : bytes_(bytes), version_(bytes.size() > 3 ? bytes[3] : 0) {
    if (!bytes.starts_with("CDF") || !(version_ == 1 || version_ == 2 || version_ == 5)) throw NotNetcdf();
    at_ = 4;
  }

  int version() const { return version_; }
  std::size_t at() const { return at_; }

  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (const char c : take(size)) value = value << 8 | std::uint8_t(c);
    return value;
  }
  std::uint64_t count() { return number(version_ == 5 ? 8 : 4); }
  std::uint64_t offset() { return number(version_ == 1 ? 4 : 8); }

  std::string name() {
    const auto size = std::size_t(count());
    std::string text(take(size));
    take(filled(size) - size);
    return text;
  }

  /// So many of one list.
  std::size_t elements(Tag tag) {
    const std::uint64_t found = number(4), elements = count();
    constexpr std::uint64_t most = 1000;
    if ((found != tag && !(found == 0 && elements == 0)) || elements > most) throw NotNetcdf();
    return std::size_t(elements);
  }

  std::vector<Attribute> attributes() {
    std::vector<Attribute> all;
    for (std::size_t left = elements(attributes_tag); left > 0; --left) {
      Attribute one{name(), std::uint32_t(number(4)), count(), {}};
      if (one.count > bytes_.size()) throw NotNetcdf();
      one.values = take(filled(std::size_t(one.count) * bytes_of_type(one.type)));
      all.push_back(std::move(one));
    }
    return all;
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size() - at_) throw NotNetcdf();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

  std::string_view bytes_;
  int version_;
  std::size_t at_ = 0;
};

struct Header {
  int version;
  std::uint64_t records;
  std::vector<Dimension> dimensions;
  std::vector<Attribute> attributes;
  std::vector<Variable> variables;
  std::size_t bytes;
};

Header read_header(std::string_view bytes) {
  HeaderReader reader(bytes);
  Header header{reader.version(), reader.count(), {}, {}, {}, 0};
  for (std::size_t left = reader.elements(dimensions_tag); left > 0; --left) {
    std::string name = reader.name();
    header.dimensions.push_back({std::move(name), reader.count()});
  }
  header.attributes = reader.attributes();
  for (std::size_t left = reader.elements(variables_tag); left > 0; --left) {
    Variable one{reader.name(), {}, {}, 0, 0, 0};
    std::uint64_t rank = reader.count();
    if (rank > 100) throw NotNetcdf();
    for (; rank > 0; --rank) one.dimensions.push_back(reader.count());
    one.attributes = reader.attributes();
    one.type = std::uint32_t(reader.number(4));
    one.bytes = reader.count();
    one.begin = reader.offset();
    header.variables.push_back(std::move(one));
  }
  header.bytes = reader.at();
  return header;
}

class HeaderWriter {
 public:
  explicit HeaderWriter(int version) : version_(version) {
    bytes_ = "CDF";
    bytes_ += char(version);
  }

  void number(std::uint64_t value, std::size_t size) {
    for (std::size_t n = size; n-- > 0;) bytes_ += char(value >> (8 * n));
  }
  void count(std::uint64_t value) { number(value, version_ == 5 ? 8 : 4); }
  void offset(std::uint64_t value) { number(value, version_ == 1 ? 4 : 8); }
  void name(const std::string& text) {
    count(text.size());
    bytes_ += text;
    bytes_.resize(filled(bytes_.size()), '\0');
  }
  void list(Tag tag, std::size_t elements) {
    number(elements == 0 ? 0 : std::uint64_t(tag), 4);
    count(elements);
  }
  void attributes(const std::vector<Attribute>& all) {
    list(attributes_tag, all.size());
    for (const Attribute& one : all) {
      name(one.name);
      number(one.type, 4);
      count(one.count);
      bytes_ += one.values;
    }
  }

  std::string bytes_;

 private:
  int version_;
};

std::string written(const Header& header, std::uint64_t moved) {
  HeaderWriter writer(header.version);
  writer.count(header.records);
  writer.list(dimensions_tag, header.dimensions.size());
  for (const Dimension& one : header.dimensions) {
    writer.name(one.name);
    writer.count(one.length);
  }
  writer.attributes(header.attributes);
  writer.list(variables_tag, header.variables.size());
  for (const Variable& one : header.variables) {
    writer.name(one.name);
    writer.count(one.dimensions.size());
    for (const std::uint64_t dimension : one.dimensions) writer.count(dimension);
    writer.attributes(one.attributes);
    writer.number(one.type, 4);
    writer.count(one.bytes);
    writer.offset(one.begin + moved);
  }
  return writer.bytes_;
}

void change_attributes(std::vector<Attribute>& all, Random& random) {
  if (all.empty() || one_of(random, 4) == 0) {
    all.push_back({odd_name(random), 2, 4, "text"});
    return;
  }
  Attribute& one = all[one_of(random, all.size())];
  switch (one_of(random, 4)) {
    case 0:
      one.name = odd_name(random);
      break;
    case 1:
      one.type = std::uint32_t(one_of(random, 13));
      break;
    case 2:
      one.count = odd_length(random);
      break;
    default:
      for (char& byte : one.values) byte = char(random());
  }
}

void change_variable(Header& header, Variable& one, Random& random) {
  switch (one_of(random, 8)) {
    case 0:
      one.name = odd_name(random);
      break;
    case 1:
      one.type = std::uint32_t(one_of(random, 13));
      break;
    case 2:
      one.bytes = odd_length(random);
      break;
    case 3:
      one.begin = one_of(random, 2) == 0 ? odd_length(random) : one.begin + 4 * one_of(random, 64);
      break;
    case 4:
      if (!one.dimensions.empty()) one.dimensions.pop_back();
      break;
    case 5:
      one.dimensions.push_back(one_of(random, header.dimensions.size() + 2));
      break;
    case 6:
      std::reverse(one.dimensions.begin(), one.dimensions.end());
      break;
    default:
      change_attributes(one.attributes, random);
  }
}

void change(Header& header, Random& random) {
  switch (one_of(random, 8)) {
    case 0:
      header.records = odd_length(random);
      return;
    case 1:
      header.version = header.version == 5 ? 5 : 1 + int(one_of(random, 2));
      return;
    case 2:
    case 3:
      if (header.dimensions.empty() || one_of(random, 6) == 0) {
        header.dimensions.push_back({odd_name(random), odd_length(random)});
        return;
      }
      if (Dimension& one = header.dimensions[one_of(random, header.dimensions.size())];
          one_of(random, 3) == 0)
        one.name = odd_name(random);
      else
        one.length = odd_length(random);
      return;
    case 4:
      change_attributes(header.attributes, random);
      return;
    default:
      if (header.variables.empty()) return;
      const std::size_t which = one_of(random, header.variables.size());
      if (one_of(random, 12) == 0)
        header.variables.erase(header.variables.begin() + std::ptrdiff_t(which));
      else if (one_of(random, 12) == 0)
        header.variables.push_back(header.variables[which]);
      else
        change_variable(header, header.variables[which], random);
  }
}

}  // namespace

std::optional<std::string> mutated_netcdf(std::string_view bytes, Random& random) {
  try {
    Header header = read_header(bytes);
    for (std::size_t changes = 1 + one_of(random, 3); changes > 0; --changes) change(header, random);
    // Values stay behind the header; where they begin is told rightly, or as if the header were as long as
    // before.
    const std::size_t now = written(header, 0).size();
    const std::uint64_t moved = one_of(random, 4) == 0 ? 0 : std::uint64_t(now) - header.bytes;
    return written(header, moved) + std::string(bytes.substr(header.bytes));
  } catch (const NotNetcdf&) {
    return {};
  }
}

}  // namespace ionwell::test
