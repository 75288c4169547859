#include "client/batch/checkpoint.hpp"

#include "protocol/framing/json_lines_writer.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace inferwire::inline v0_1::client {
namespace {

/// The first line of a job's file.
std::string header_of(const JobHash& job) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), job.value(), 16).ptr;
  return R"({"inferwire_batch":1,"job":")" + std::string(digits.data(), end) + "\"}";
}

/// The content of a file: how many bytes of complete lines, and whether it begins like a job's.
struct Found {
  std::uintmax_t whole{};
  bool ours{true};
  bool readable{true};
  std::optional<Error> stopped{};  ///< why it was not read to its end
};
/// Reads no more of another file, which may be one line of gigabytes, than a header has.
Found look_at(const std::string& path, const std::string& header, const WhyStopped& why_stopped) {
  Found found;
  if ((found.stopped = why_stopped())) return found;
  std::ifstream file(path, std::ios::binary);
  const auto first = header + "\n";
  std::string begin(first.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  found.ours = first.starts_with(begin);
  if (begin == first) found.whole = first.size();
  for (std::string line; found.whole > 0 && std::getline(file, line) && !file.eof();) {
    if ((found.stopped = why_stopped())) return found;
    found.whole += line.size() + 1;
  }
  std::error_code unknown;
  found.readable = file.is_open() ? !file.bad() : !std::filesystem::exists(path, unknown) && !unknown;
  return found;
}

std::optional<std::size_t> count_at(const Json& line, std::string_view pointer) {
  const auto value = line.find(pointer);
  const auto number = value ? value->as_int() : std::nullopt;
  if (!number || !std::in_range<std::size_t>(*number)) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

std::string line_of(const Slice& slice, std::string_view answer) {
  return R"({"first":)" + std::to_string(slice.first) + R"(,"count":)" + std::to_string(slice.count) +
         R"(,"answer":)" + std::string(answer) + "}";
}

/// The answer in a line: in a string if it is nested as deeply as JSON may be, since the line adds a level.
Optional<Json> answer_in(const Json& line) {
  auto answer = line.find("/answer");
  const auto text = answer ? answer->as_string() : std::nullopt;
  if (!text) return answer;
  auto nested = Json::parse(*text);
  return nested ? Optional<Json>(*std::move(nested)) : std::nullopt;
}

Error config(const std::string& path, std::string_view what) {
  return Error{.kind = ErrorKind::config, .detail = "the checkpoint " + path + " " + std::string(what)};
}

Error cannot_be_read(const std::string& path) { return config(path, "cannot be read"); }

/// `reason`: none if that is unknown.
Error unwritable(const std::string& path, std::error_code reason) {
  auto error = config(path, "cannot be written");
  if (reason) error.detail += ": " + reason.message();
  return error;
}
std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

}  // namespace

void JobHash::add(std::string_view part) noexcept {
  hash_.add(part);
  auto length = static_cast<std::uint64_t>(part.size());
  for (int i = 0; i < 8; ++i, length >>= 8) hash_.add_byte(static_cast<unsigned char>(length & 0xFF));
}

void add_edits(JobHash& job, const CallOptions& options) {
  for (const auto& edit : options.body) {
    job.add(std::to_string(static_cast<int>(edit.kind)));
    job.add(edit.pointer);
    job.add(edit.value.text());
  }
}

Result<void> BatchCheckpoint::open(const std::string& path, const JobHash& job,
                                   const WhyStopped& why_stopped) {
  path_ = path;
  std::error_code unknown;  // a device may be endless
  if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown)) {
    return config(path, "is not a regular file");
  }
  const auto header = header_of(job);
  auto found = look_at(path, header, why_stopped);
  if (found.stopped) return *std::move(found.stopped);
  if (!found.readable) return cannot_be_read(path);
  if (!found.ours)
    return config(path,
                  "belongs to another job (its model, parameters or inputs differ); delete it to start over");
  errno = 0;
  out_.open(path, std::ios::binary | std::ios::app);
  if (!out_) return unwritable(path, last_error());
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  // Removes an incomplete last line.
  if (!failure && size != found.whole) std::filesystem::resize_file(path, found.whole, failure);
  if (failure) return unwritable(path, failure);
  if (found.whole == 0) return write(header + "\n");
  in_.open(path, std::ios::binary);
  if (!in_) return cannot_be_read(path);
  return {};
}

Result<std::optional<BatchCheckpoint::Entry>> BatchCheckpoint::next() {
  for (std::string text; std::getline(in_, text);) {
    const auto line = Json::parse(text);
    if (!line) continue;
    const auto first = count_at(*line, "/first");
    const auto count = count_at(*line, "/count");
    auto answer = answer_in(*line);
    if (first && count.value_or(0) != 0 && answer)
      return std::optional(Entry{{*first, *count}, *std::move(answer)});
  }
  if (in_.bad()) return cannot_be_read(path_);
  in_.close();
  return std::optional<Entry>();
}

Result<void> BatchCheckpoint::add(const Slice& slice, std::string_view answer) {
  auto text = line_of(slice, answer);
  if (!Json::parse(text)) text = line_of(slice, Json::string(answer).text());
  std::string line;
  // Raw JSON in a struct may have contained line breaks.
  protocol::append_line(line, text);
  return write(line);
}

Result<void> BatchCheckpoint::write(std::string_view line) {
  errno = 0;
  out_.write(line.data(), static_cast<std::streamsize>(line.size()));
  if (!out_.flush()) return unwritable(path_, last_error());
  return {};
}

}  // namespace inferwire::inline v0_1::client
