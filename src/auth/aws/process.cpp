// AWS keys from a program of the user (credential_process).
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html
#include "auth/aws/sources.hpp"
#include "auth/fetch/token_answer.hpp"
#include "auth/program/command_line.hpp"
#include "auth/program/program_source.hpp"
#include "json/text_at.hpp"

#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

class ProcessSource final : public ProgramSource {
 public:
  ProcessSource(std::vector<std::string> command, AwsScope scope)
      : ProgramSource(std::move(command)), scope_(std::move(scope)) {}

 private:
  Result<Grant> read(std::string_view output, Instant) const override {
    const auto answer = Json::parse(output);
    if (!answer) return not_a_token(program(), "no JSON");
    constexpr std::int64_t known_version = 1;
    const auto version = answer->find("/Version");
    if (!version || version->as_int() != known_version)
      return not_a_token(program(), "another Version than 1");
    return grant_of(program(),
                    {json::text_at(*answer, "/AccessKeyId"), json::text_at(*answer, "/SecretAccessKey"),
                     json::text_at(*answer, "/SessionToken")},
                    json::text_at(*answer, "/Expiration"), scope_);
  }
  std::string refusal(int status) const override {
    return "the program " + program() + " of credential_process ended with status " + std::to_string(status);
  }

  AwsScope scope_;
};

}  // namespace

Result<std::unique_ptr<GrantSource>> process_source(std::string_view command, AwsScope scope) {
  auto words = split_command(command);
  if (!words) {
    words.error().detail.insert(0, "credential_process: ");
    return std::move(words).error();
  }
  return std::unique_ptr<GrantSource>(std::make_unique<ProcessSource>(*std::move(words), std::move(scope)));
}

}  // namespace inferwire::inline v0_1::auth
