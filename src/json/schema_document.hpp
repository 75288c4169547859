/// \file
/// A JSON schema read once: its parts, where its references lead, and what is joined to what.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::json {

struct SchemaEntry;

/// A value of a document, whose text it borrows.
struct SchemaNode {
  std::string_view text{};
  std::vector<SchemaEntry> members;  ///< those of an object
  std::vector<SchemaNode> items;     ///< those of a list

  bool is_object() const noexcept { return text.starts_with('{'); }
};
struct SchemaEntry {
  std::string name{};
  SchemaNode value{};
};

/// The members of a schema, those that were joined to it included.
using SchemaMembers = std::vector<const SchemaEntry*>;
using SchemaWords = std::vector<std::string>;

const SchemaNode* find(const SchemaMembers& members, std::string_view name);
bool holds(std::span<const std::string> words, std::string_view word);
/// The strings of a list, or the string itself; empty for nullptr.
SchemaWords words_of(const SchemaNode* value);
/// The values that a schema lists, equal ones in equal words; none where some cannot be compared.
SchemaWords values_of(const SchemaMembers& schema);
/// Whether a keyword does not decide which documents fit; providers refuse some of them.
bool is_annotation(std::string_view keyword);
/// A step of an RFC 6901 pointer.
std::string pointer_step(std::string_view name);

/// A schema with the parts that are joined to it.
struct JoinedSchema {
  SchemaMembers members{};
  std::vector<std::string> problems{};  ///< what could not be joined without another meaning
};

/// The place that a reference leads to.
struct SchemaTarget {
  const SchemaNode* node{};  ///< nullptr: nowhere within the document
  bool kept{};               ///< it is a schema, and no part that was joined to another one
  bool moved{};              ///< it was in `oneOf`, so that `place` is another one
  std::string place{};       ///< the reference, where `oneOf` has become `anyOf`
};

/// What is known of all documents that fit a schema, to tell it from others.
struct SchemaFacts {
  std::uint8_t types{};                                     ///< a bit for each
  SchemaWords values{};                                     ///< all that fit, as far as the schema lists them
  std::vector<std::pair<std::string, SchemaWords>> tags{};  ///< required properties that list their values
};
/// Whether nothing fits both, by types or values, or by a property where both can only be objects.
bool are_told_apart(const SchemaFacts& one, const SchemaFacts& other);

class SchemaDocument {
 public:
  /// `text` is an object, well-formed, and outlives this.
  explicit SchemaDocument(std::string_view text);

  /// The outermost schema, joined with what it refers to: it has to be an object itself.
  JoinedSchema root() const;
  /// A schema; an `allOf` of one is that one.
  static JoinedSchema joined(const SchemaNode& schema);
  SchemaTarget target(const SchemaNode& reference) const;
  /// The schema that references lead to.
  SchemaMembers resolved(const SchemaNode& schema) const;
  SchemaFacts facts_of(const SchemaNode& schema) const;

 private:
  const SchemaNode* next(const SchemaMembers& members) const;

  SchemaNode root_;
};

}  // namespace inferwire::inline v0_1::json
