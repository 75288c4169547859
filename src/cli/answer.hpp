/// \file
/// Prints the answers of resources that generate text, complete or as they arrive.
#pragma once

#include "cli/answer_arguments.hpp"
#include "cli/exit_code.hpp"
#include "cli/our_words.hpp"
#include "cli/terminal/foreign_text.hpp"
#include "cli/terminal/output.hpp"
#include "inferwire/client.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/responses.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// The text of an answer, or of a chunk of one, for every resource.
template <class Document>
std::string text_of(const Document& document) {
  if constexpr (requires { document.output_text(); }) {
    return document.output_text();
  } else {
    return std::string(document.text());
  }
}

/// The text of a complete answer, or the refusal in its place.
template <class Document>
std::string words_of(const Document& document) {
  auto text = text_of(document);
  if constexpr (requires { document.refusal(); }) {
    if (text.empty()) text = document.refusal();
  }
  return text;
}

/// Prints a document's JSON and a line end.
template <class Document>
ExitCode print_json(const Document& document) {
  const auto json = to_json(document);
  if (!json) return fail(json.error());
  return print(shown(json->one_line()) + "\n") ? success : output_lost();
}

/// The error in a complete answer: a failed response arrives as an answer.
template <class Document>
Optional<Error> failure_of(const Document& document) {
  if constexpr (requires { document.failure(); }) return document.failure();
  return std::nullopt;
}

/// How an answer ended.
struct Ending {
  ExitCode status{success};
  std::string_view remark{};  ///< for standard error; empty: there is nothing to say
};

/// The ending of an answer that arrived as the service ended it. One that reached the limit of its tokens is
/// an answer.
Ending ending_of(Finish finish, bool is_cancelled, bool has_text) noexcept;

template <class Document>
Ending ending_of(const Document& document, bool has_text) {
  bool is_cancelled = false;
  if constexpr (requires { document.status; }) {
    is_cancelled = document.status == responses::ResponseStatus::cancelled;
  }
  return ending_of(document.finish(), is_cancelled, has_text);
}

/// Prints the remark, and returns the exit status.
inline ExitCode tell(const Ending& ending) {
  if (!ending.remark.empty()) complain(ending.remark);
  return ending.status;
}

template <class Response>
ExitCode print_whole(const Result<Response>& response, const AnswerArguments& arguments) {
  if (!response) return fail(response.error());
  const auto failure = failure_of(*response);
  const std::string text = words_of(*response);
  const auto ending = ending_of(*response, !text.empty());
  if (arguments.json) {
    if (const auto printed = print_json(*response); printed != success) return printed;
  } else if (!text.empty() || (!failure && ending.status == success)) {
    if (!print(shown(text) + "\n")) return output_lost();
  }
  return failure ? fail(*failure) : tell(ending);
}

/// Prints the text of an answer as it arrives.
class TextPrinter {
 public:
  /// False: the output is lost.
  bool print(std::string_view text);
  /// Ends the last line, unless the text did. False: the output is lost.
  bool end_line();
  bool has_printed() const noexcept { return has_printed_; }

 private:
  ForeignText text_{};
  bool has_printed_{};
  bool line_is_open_{};
};

template <class Chunk>
ExitCode print_stream(Stream<Chunk> stream, const AnswerArguments& arguments) {
  bool begun = false;
  TextPrinter printer;
  typename Folds<Chunk>::Accumulator whole;
  for (const auto& chunk : stream) {
    if (!chunk) {
      printer.end_line();
      const auto code = fail(chunk.error());
      return begun && code == transport_error ? incomplete_stream : code;
    }
    begun = true;
    whole.add(*chunk);
    if (arguments.json) {
      if (const auto printed = print_json(*chunk); printed != success) return printed;
    } else if (!printer.print(text_of(*chunk))) {
      return output_lost();
    }
  }
  const auto answer = whole.take(true);
  const std::string text = words_of(answer);
  // A service may send items only complete, or a model refuse.
  const bool is_untold = !arguments.json && !printer.has_printed();
  if ((is_untold && !printer.print(text)) || !printer.end_line()) return output_lost();
  return tell(ending_of(answer, printer.has_printed() || !text.empty()));
}

/// Makes the call and prints the answer, as it comes or when it is whole.
template <class Resource, class Request>
ExitCode print_answer(const Resource& resource, const Request& request, const AnswerArguments& arguments) {
  return arguments.stream ? print_stream(resource.stream(request), arguments)
                          : print_whole(resource.create(request), arguments);
}

/// `text`, or all of standard input if it is "-"; nullopt, after printing an error, if that is empty or
/// cannot be read.
std::optional<std::string> text_or_input(const std::string& text);

}  // namespace inferwire::inline v0_1::cli
