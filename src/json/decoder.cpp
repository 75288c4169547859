// Decodes documents: everything around a walk.
#include "base/per_thread.hpp"
#include "json/access.hpp"
#include "json/codec.hpp"
#include "json/text.hpp"
#include "json/walk.hpp"

namespace inferwire::inline v0_1::json {

static_assert(padding >= simdjson::SIMDJSON_PADDING);

namespace {

// Memory that grew for a longer document is freed: threads keep their decoders as long as they run.
constexpr std::size_t largest_kept = std::size_t{4} << 20U;

/// The last document, and the value that it was read into.
struct Last {
  const void* out{};
  const Type* type{};
  Reading reading{};
  std::string untyped{};
  Stencil stencil{};
};

/// Can be shared by all decoders of a thread: each finishes its document before the next one begins.
ondemand::parser& thread_parser() {
  static constinit thread_local PerThread<ondemand::parser> parser;
  return parser.get();
}

/// Frees at its end what a document made grow if it is a large one.
class Release {
 public:
  Release(std::string_view document, Shelf& shelf)
      : shelf_(document.size() > largest_kept ? &shelf : nullptr) {}
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;
  ~Release() {
    if (shelf_ == nullptr) return;
    thread_parser() = ondemand::parser();
    *shelf_ = Shelf();
  }

 private:
  Shelf* shelf_;
};

[[gnu::cold]] Error decode_error(std::string path, std::string detail) {
  return Error{.kind = ErrorKind::decode, .detail = std::move(detail), .path = std::move(path)};
}

/// Why `text` could not be read into `shape`. The Scanner tells what is wrong with malformed text, and where;
/// text that it accepts has the wrong type.
[[gnu::cold]] Error why_not(std::string_view text, const Type& shape, Outcome outcome, const Walk& walk) {
  auto path = walk.path().substr(walk.path().starts_with('.') ? 1 : 0);
  if (auto well_formed = check(text); !well_formed) {
    return decode_error(std::move(path), std::move(well_formed).error().detail);
  }
  if (walk.out_of_room()) {
    return decode_error(std::move(path), "too many elements for the size of the document");
  }
  return decode_error(std::move(path), outcome == Outcome::misfit ? walk.misfit() : expectation(shape));
}

/// Reads a document: an object, or else a list or one of several types, but no scalar.
Outcome walk_document(Walk& walk, std::string_view json, void* out, const Type& shape) {
  // Newer versions of simdjson skip a mark themselves, so a second one would not be noticed.
  if (json.starts_with(byte_order_mark)) return Outcome::malformed;
  const simdjson::padded_string_view padded(json.data(), json.size(), json.size() + padding);
  ondemand::document document;
  if (thread_parser().iterate(padded).get(document) != simdjson::SUCCESS) return Outcome::malformed;
  Outcome outcome = Outcome::malformed;
  if (shape.kind == Kind::object) {
    ondemand::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS) return Outcome::malformed;
    outcome = walk.object(object, out, *shape.object, 0);
  } else {
    // On-Demand checks that a document's object is closed, but not a value: the token behind its last comma
    // would be empty.
    const auto text = trim(json);
    if (!text.ends_with(']') && !text.ends_with('}')) return Outcome::malformed;
    ondemand::value value;
    if (document.get_value().get(value) != simdjson::SUCCESS) return Outcome::malformed;
    outcome = walk.element(value, out, shape, 0);
  }
  const bool whole = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  return outcome == Outcome::taken && !whole ? Outcome::malformed : outcome;
}

}  // namespace

struct Decoder::State {
  Shelf shelf;
  std::string copy;  // text that was passed without padding
  std::optional<Last> last;
};

Decoder::Decoder(Series series) : state_(std::make_unique<State>()) {
  if (series == Series::alike) state_->last.emplace();
}
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;
Decoder::~Decoder() = default;

bool Decoder::decode_any(std::string_view text, void* out, const Type& type, Reading reading, Error& error,
                         std::string_view untyped) {
  if (!state_->last) return decode_anew(text, out, type, reading, error, untyped, nullptr);
  auto& [last_out, last_type, last_reading, last_untyped, stencil] = *state_->last;
  const bool same_kind =
      out == last_out && &type == last_type && reading == last_reading && untyped == last_untyped;
  if (same_kind && stencil.fill(text)) return true;
  last_out = nullptr;  // until decoding succeeds, also if memory runs out
  last_type = &type;
  last_reading = reading;
  last_untyped = untyped;
  stencil.begin(text);
  const bool decoded = decode_anew(text, out, type, reading, error, untyped, &stencil);
  if (decoded) last_out = out;
  return decoded;
}

bool Decoder::decode_anew(std::string_view text, void* out, const Type& type, Reading reading, Error& error,
                          std::string_view untyped, Stencil* stencil) {
  const std::string_view json = without_byte_order_mark(text);
  const Release release_later(json, state_->shelf);
  Walk walk(json, reading, state_->shelf, stencil);
  const Type* shape = &type;
  if (type.kind == Kind::tagged) {
    const std::string_view trimmed = trim(json);
    const unsigned choice = trimmed.empty() ? type.alternatives->count - 1
                                            : walk.choose(trimmed.data(), *type.alternatives, untyped, 0);
    const Alternative& alternative = type.alternatives->alternatives[choice];
    out = alternative.open(out);
    shape = alternative.type;
    if (shape->kind == Kind::json) return decode_unknown(text, *static_cast<Json*>(out), error);
  }
  const Outcome outcome = walk_document(walk, json, out, *shape);
  if (outcome == Outcome::taken) [[likely]] {
    return true;
  }
  error = why_not(text, *shape, outcome, walk);
  return false;
}

bool Decoder::decode_unknown(std::string_view text, Json& out, Error& error) {
  const std::string_view json = trim(without_byte_order_mark(text));
  auto well_formed = check(text);
  if (well_formed && json.front() == '{') {
    state_->shelf.assign(Access::text(out), json);
    return true;
  }
  error = decode_error("", well_formed ? "expected object" : std::move(well_formed).error().detail);
  return false;
}

bool Decoder::decode_copy(std::string_view text, void* out, const Type& type, Reading reading, Error& error) {
  std::string& copy = state_->copy;
  copy.assign(text);
  copy.append(padding, ' ');
  const bool decoded = decode_any(std::string_view(copy).substr(0, text.size()), out, type, reading, error);
  if (copy.capacity() > largest_kept) std::string().swap(copy);
  return decoded;
}

Decoder& thread_decoder() {
  static constinit thread_local PerThread<Decoder> decoder;
  return decoder.get();
}

}  // namespace inferwire::inline v0_1::json
