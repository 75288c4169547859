/// \file
/// Converts JSON documents to and from structs that have a table (table.hpp). wire/documents.hpp lists them.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/json.hpp"
#include "inferwire/result.hpp"
#include "json/padding.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::json {

struct Type;

/// The descriptor of a document's type.
template <class T>
const Type& describe();

/// How strictly a document is read. In both modes malformed JSON is an error, null reads as absent, and
/// unknown members go to the struct's `extra`.
enum class Reading : std::uint8_t {
  tolerant,  ///< the client: only structure that carries the answer must have the right type; else kept in
             ///< `extra`
  strict,    ///< the engine: every member must have the right type
};

/// The two spellings of an object with a nest (table.hpp).
enum class Spelling : std::uint8_t { flat, nested };

class Stencil;

/// How the documents of a decoder are related.
enum class Series : std::uint8_t {
  none,
  /// They are decoded over one value that nothing else changes, and mostly repeat the previous one except for
  /// a few strings and numbers: then only these are read.
  alike,
};

/// Decodes documents, reusing its memory: no allocations after the first documents, except for those of more
/// than 4 MiB. Used by one thread at a time.
class Decoder {
 public:
  explicit Decoder(Series series = Series::none);
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;
  ~Decoder();

  /// Decodes the document over `out`, reusing its contents: strings, list elements and extra members keep
  /// their memory; members that the document does not have become default values. `padding` bytes after the
  /// text must be readable. Returns false on an error, with `out` in any valid state: decode, with the path,
  /// and for malformed text the byte offset in the detail.
  template <class T>
  bool decode(std::string_view padded_text, T& out, Reading reading, Error& error) {
    return decode_any(padded_text, &out, describe<T>(), reading, error);
  }
  /// Likewise, as a new value.
  template <class T>
  Result<T> decode(std::string_view padded_text, Reading reading) {
    Result<T> out;
    Error error;
    if (!decode(padded_text, *out, reading, error)) out = std::move(error);
    return out;
  }

  /// `untyped` selects the alternative of a tagged union for a document without a `type`.
  bool decode_any(std::string_view padded_text, void* out, const Type& type, Reading reading, Error& error,
                  std::string_view untyped = {});
  /// Decodes text without padding, by copying it.
  bool decode_copy(std::string_view text, void* out, const Type& type, Reading reading, Error& error);

 private:
  bool decode_anew(std::string_view text, void* out, const Type& type, Reading reading, Error& error,
                   std::string_view untyped, Stencil* stencil);
  bool decode_unknown(std::string_view text, Json& out, Error& error);

  struct State;
  std::unique_ptr<State> state_;
};

/// A decoder that this thread may use until it returns to its caller.
Decoder& thread_decoder();

/// Decodes a document.
template <class T>
Result<T> decode(std::string_view text, Reading reading = Reading::tolerant) {
  T out{};
  Error error;
  if (!thread_decoder().decode_copy(text, &out, describe<T>(), reading, error)) return error;
  return out;
}

/// A top-level member that is written with this JSON text, regardless of the struct and its `extra`. Empty
/// text leaves the member out. The text must be well-formed: it is written unchanged.
struct Override {
  std::string_view name;
  std::string_view json;
};

/// The prefix of `extra` members that are this library's own remarks.
inline constexpr std::string_view remark_prefix = "inferwire:";
/// The value of a remark. Decoded values never begin with a space, so no server's member is a remark.
inline constexpr std::string_view remark_value = " true";

/// Whether a member of `extra` is a remark; remarks are never written.
inline bool is_remark(const Member& member) noexcept {
  return member.name.starts_with(remark_prefix) && member.value.text() == remark_value;
}

/// Appends `value` to `out`. On an error, `out` holds the part written so far.
Result<void> encode_any(std::string& out, const void* value, const Type& type,
                        std::span<const Override> overrides, Spelling spelling = Spelling::flat);

/// Encodes `value`. Errors: invalid_request, with the path, for text that is not UTF-8, numbers that are not
/// finite, JSON text that is not well-formed, and extra members that the struct itself writes.
template <class T>
Result<std::string> encode(const T& value, std::span<const Override> overrides = {},
                           Spelling spelling = Spelling::flat) {
  std::string out;
  if (auto done = encode_any(out, &value, describe<T>(), overrides, spelling); !done) {
    return std::move(done).error();
  }
  return out;
}

/// Encodes `value`, replacing the contents of `out` and reusing its memory.
template <class T>
Result<void> encode_to(std::string& out, const T& value, std::span<const Override> overrides = {},
                       Spelling spelling = Spelling::flat) {
  out.clear();
  return encode_any(out, &value, describe<T>(), overrides, spelling);
}

/// Whether `text` is one well-formed JSON document: RFC 8259, strict UTF-8, an optional byte order mark, at
/// most `max_depth` levels. Errors: decode, with the byte offset in the detail.
Result<void> check(std::string_view text);

/// Whether `text` could be an incomplete beginning of a document.
bool is_cut(std::string_view text) noexcept;

}  // namespace inferwire::inline v0_1::json
