/// \file
/// A parsed JSON schema: its parts, the targets of its references, and its joined schemas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::json {

struct SchemaEntry;

/// A value of a document, with views of the document's text.
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

/// The members of a schema, including those joined to it.
using SchemaMembers = std::vector<const SchemaEntry*>;
using SchemaWords = std::vector<std::string>;

const SchemaNode* find(const SchemaMembers& members, std::string_view name);
template <class Words>
bool holds(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}
/// The strings of a list, or the string itself; empty for nullptr.
SchemaWords words_of(const SchemaNode* value);
/// The values that a schema lists, in a form in which equal values are equal text; empty if some cannot be
/// compared.
SchemaWords values_of(const SchemaMembers& schema);
/// Whether a keyword does not affect which documents are valid; providers refuse some of these.
bool is_annotation(std::string_view keyword);
/// A step of an RFC 6901 pointer.
std::string pointer_step(std::string_view name);

/// A schema with the parts that are joined to it.
struct JoinedSchema {
  SchemaMembers members{};
  std::vector<std::string> problems{};  ///< parts that could not be joined without changing the meaning
};

/// The target of a reference.
struct SchemaTarget {
  const SchemaNode* node{};  ///< nullptr: there is none within the document
  bool kept{};               ///< it is a schema, not a part that was joined to another one
  bool moved{};              ///< it was in `oneOf`, so `place` is a different one
  std::string place{};       ///< the reference after `oneOf` has become `anyOf`
};

/// The properties common to all documents that match a schema, to tell it apart from others.
struct SchemaFacts {
  std::uint8_t types{};                                     ///< a bit for each type
  SchemaWords values{};                                     ///< all matching values, if the schema lists them
  std::vector<std::pair<std::string, SchemaWords>> tags{};  ///< required properties that list their values
};
/// Whether no document can match both, because of types or values, or of a property if both match only
/// objects.
bool are_told_apart(const SchemaFacts& one, const SchemaFacts& other);

class SchemaDocument {
 public:
  /// `text` must be a well-formed object and outlive this.
  explicit SchemaDocument(std::string_view text);

  /// The outermost schema, joined with its references' targets: it must be an object itself.
  JoinedSchema root() const;
  /// A schema; an `allOf` with one element is replaced by that element.
  static JoinedSchema joined(const SchemaNode& schema);
  SchemaTarget target(const SchemaNode& reference) const;
  /// The schema after following references.
  SchemaMembers resolved(const SchemaNode& schema) const;
  SchemaFacts facts_of(const SchemaNode& schema) const;

 private:
  const SchemaNode* next(const SchemaMembers& members) const;

  SchemaNode root_;
};

}  // namespace inferwire::inline v0_1::json
