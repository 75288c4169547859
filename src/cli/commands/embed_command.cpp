// `inferwire embed`: a row of numbers for every text.
#include "cli/answer.hpp"
#include "cli/checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/file_claim.hpp"
#include "cli/commands/in_flight.hpp"
#include "cli/commands/npy.hpp"
#include "cli/commands/whole_file.hpp"
#include "cli/connection.hpp"
#include "cli/terminal/foreign_text.hpp"
#include "cli/terminal/progress.hpp"
#include "inferwire/batch.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::cli {
namespace {

struct EmbedArguments {
  Connection connection{};
  std::vector<std::string> texts{};
  std::string file{};  ///< one text a line; "-" reads standard input
  std::optional<std::string> instruction{};
  std::optional<std::int64_t> dimensions{};
  std::optional<std::size_t> batch{};  ///< texts a request; absent: as many as the provider allows
  std::size_t in_flight{8};
  std::string checkpoint{};  ///< the file that records what is done; empty: none
  std::string npy{};         ///< the file for a NumPy array; "-" is standard output; empty: rows as JSON
  bool json{false};          ///< print the answer's document instead of rows

  CLI::App* declare(CLI::App& program);
};

/// Appends the lines of a stream, without line ends and byte order mark, to the texts. Returns the number of
/// a line that is empty, and so not a text; 0 if there is none.
std::size_t append_lines(std::istream& in, std::vector<std::string>& texts) {
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    if (++number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) return number;
    texts.push_back(std::move(line));
  }
  return 0;
}

/// The texts to embed, in order; nullopt, after printing an error, if one is "-" or the file cannot be read.
std::optional<std::vector<std::string>> texts_of(const EmbedArguments& arguments) {
  auto texts = arguments.texts;
  if (std::ranges::find(texts, "-") != texts.end()) {
    complain("- is not read as a text: --file - reads standard input, one text per line");
    return std::nullopt;
  }
  if (arguments.file.empty()) return texts;
  std::ifstream file;
  if (arguments.file != "-") {
    file.open(arguments.file);
    if (!file) {
      not_read(arguments.file);
      return std::nullopt;
    }
  }
  std::istream& in = arguments.file == "-" ? std::cin : file;
  if (const auto empty = append_lines(in, texts); empty != 0) {
    complain("line " + std::to_string(empty) + " of " + arguments.file + " is empty: there is no row for it");
    return std::nullopt;
  }
  if (in.bad()) {
    not_read(arguments.file + " to its end");
    return std::nullopt;
  }
  return texts;
}

std::string row_as_json(std::span<const float> row) {
  std::string out = "[";
  char digits[24];
  for (const float number : row) {
    if (out.size() > 1) out += ',';
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  return out += "]\n";
}

/// Whether a file can be written there; leaves no new file.
bool can_be_written(const std::string& path) {
  std::error_code unknown;
  const bool was_there = std::filesystem::exists(std::filesystem::symlink_status(path, unknown));
  if (!std::ofstream(path, std::ios::app)) return false;
  if (!was_there) std::filesystem::remove(path, unknown);
  return true;
}

/// Why an output file would overwrite another file; empty if none would.
std::string clash_of(const EmbedArguments& arguments) {
  const auto clash = [](const std::string& one, const std::string& other) {
    const auto is_file = [](const std::string& path) { return !path.empty() && path != "-"; };
    return is_file(one) && is_file(other) && same_file(one, other);
  };
  const auto& [file, array, checkpoint] = std::tie(arguments.file, arguments.npy, arguments.checkpoint);
  if (clash(file, array)) return array + " has the texts: name another file for --npy";
  if (clash(file, checkpoint)) return checkpoint + " has the texts: name another file for --checkpoint";
  if (clash(array, checkpoint)) return array + " is the checkpoint: name another file for --npy";
  return {};
}

ExitCode write_array(const embeddings::Rows& rows, const std::string& path) {
  const auto array = [&rows](const WritePiece& write) {
    return write_npy(rows.values, rows.inputs, rows.dimensions, write);
  };
  if (path == "-") return array(&print) ? success : output_lost();
  return write_whole(path, array) ? success : not_written(path);
}

ExitCode write_rows(const embeddings::Rows& rows) {
  for (std::size_t i = 0; i < rows.inputs; ++i) {
    const auto row = rows.row(i);
    if (!print(row.empty() ? "null\n" : row_as_json(row))) return output_lost();
  }
  return success;
}

/// All rows as one answer.
ExitCode write_json(const embeddings::Rows& rows) {
  embeddings::Response document{.object = "list", .model = rows.model, .usage = rows.usage};
  for (std::size_t i = 0; i < rows.inputs; ++i) {
    const auto row = rows.row(i);
    if (row.empty()) continue;  // it failed
    document.data.push_back({.object = "embedding",
                             .index = static_cast<std::int64_t>(i),
                             .embedding = {row.begin(), row.end()}});
  }
  return print_json(document);
}

std::string warning_of_models(const embeddings::Rows& rows) {
  auto names = rows.model;
  for (const auto& name : rows.other_models) names += ", " + name;
  return "warning: the rows are of different models and cannot be compared: " +
         ForeignText(true).shown(names);
}

/// The texts that failed, counted from 1: "text 3", "texts 4 to 6".
std::string which_texts(const BatchFailure& failure) {
  const auto first = std::to_string(failure.first + 1);
  if (failure.count == 1) return "text " + first;
  return "texts " + first + " to " + std::to_string(failure.first + failure.count);
}

/// Reports what failed; the exit status is that of the first failure.
ExitCode complain_of(const std::vector<BatchFailure>& failures, std::size_t inputs) {
  for (const auto& failure : failures) {
    if (failure.count < inputs) complain(which_texts(failure) + " failed:");
    complain(in_our_words(failure.error));
  }
  return exit_code(failures.front().error);
}

/// CLI11 splits a text in brackets as a list. Before that it validates the text: this check stores it
/// unchanged in `texts` and then rejects it, so that CLI11 counts it as an extra argument.
void declare_texts(CLI::App& command, std::vector<std::string>& texts) {
  command.add_option("text", texts, "The texts to embed")->check([&texts](const std::string& text) {
    texts.push_back(text);
    return std::string("kept already");
  });
  command.validate_positionals()->allow_extras();
  command.final_callback([&command, &texts] {
    auto extra = command.remaining();
    std::erase_if(extra, [&texts](const std::string& word) {
      return word == "--" || std::ranges::find(texts, word) != texts.end();
    });
    if (!extra.empty()) throw CLI::ExtrasError(command.get_name(), extra);
  });
}

CLI::App* EmbedArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand(
      "embed", "Print the embedding of each text, one row of numbers per text, in order");
  connection.declare(*command);
  connection.declare_model(*command);
  command->add_option("--file", file, "File of texts, one per line; - reads standard input")
      ->check(&not_empty);
  command->add_option("--instruction", instruction,
                      "Databricks: an instruction that is put before each text");
  command->add_option("--dimensions", dimensions, "Numbers per row, if the provider allows a choice")
      ->check(&decimal<std::int64_t>);
  command->add_option("--batch", batch, "Texts per request; by default as many as the provider allows")
      ->check(&decimal<std::size_t>)
      ->check(CLI::Range(std::size_t{1}, std::size_t{2048}));
  declare_in_flight(*command, in_flight);
  command
      ->add_option("--checkpoint", checkpoint,
                   "File that records finished rows, to resume an interrupted run; used by one run at a time")
      ->check(&not_empty);
  auto* array = command->add_option("--npy", npy, "Write a NumPy array (float32) to this file; - prints it")
                    ->check(&not_empty);
  command->add_flag("--json", json, "Print the answer's JSON")->excludes(array);
  declare_texts(*command, texts);
  return command;
}

/// Makes the calls and prints, or writes, the answers.
ExitCode run(const EmbedArguments& arguments) {
  auto model = arguments.connection.model_for(Resource::embeddings);
  if (!model) return usage_error;
  auto texts = texts_of(arguments);
  if (!texts) return usage_error;
  if (texts->empty()) return fail("there is nothing to embed: give texts, or --file");
  if (const auto clash = clash_of(arguments); !clash.empty()) return fail(clash);
  if (!arguments.npy.empty() && arguments.npy != "-" && !can_be_written(arguments.npy)) {
    return not_written(arguments.npy);
  }

  std::optional<FileClaim> claim;
  if (!arguments.checkpoint.empty()) claim.emplace(arguments.checkpoint);
  if (claim && claim->is_taken()) return usage_error;

  ProgressBar progress(texts->size());
  const auto rows = embeddings::create_all(
      arguments.connection.client(), *texts,
      {.model = *std::move(model), .instruction = arguments.instruction, .dimensions = arguments.dimensions},
      {.max_in_flight = arguments.in_flight,
       .max_request_inputs = arguments.batch,
       .checkpoint = arguments.checkpoint,
       .observer = &progress});
  progress.clear();
  if (!rows.other_models.empty()) complain(warning_of_models(rows));
  // Rows that were paid for are written even if others have failed.
  const auto failed = rows.failures.empty() ? success : complain_of(rows.failures, rows.inputs);
  if (rows.dimensions == 0) return failed;
  const auto written = arguments.json          ? write_json(rows)
                       : arguments.npy.empty() ? write_rows(rows)
                                               : write_array(rows, arguments.npy);
  return failed != success ? failed : written;
}

}  // namespace

Command embed_command(CLI::App& program) { return add<EmbedArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
