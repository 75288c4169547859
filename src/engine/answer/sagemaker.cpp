#include "engine/answer/sagemaker.hpp"

#include "engine/json_text.hpp"
#include "protocol/framing/sagemaker_stream.hpp"

#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

ResponseHead head_of(int status, Headers headers, const std::string& request_id) {
  headers.add("x-amzn-RequestId", request_id);
  headers.add("x-Amzn-Invoked-Production-Variant", "AllTraffic");
  return {.status = status, .headers = std::move(headers)};
}

std::string type_of(const Generation& container) {
  return std::string(find_header(container.head().headers, "content-type").value_or("application/json"));
}

/// Puts the container's body into frames.
class SageMakerFrames final : public Generation {
 public:
  SageMakerFrames(std::unique_ptr<Generation> container, const std::string& request_id)
      : container_(std::move(container)),
        head_(head_of(200,
                      {{"content-type", "application/vnd.amazon.eventstream"},
                       {"X-Amzn-SageMaker-Content-Type", type_of(*container_)}},
                      request_id)) {}

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override { return true; }
  Step step(TimePoint now) override {
    if (broken_) return {};
    auto step = container_->step(now);
    out_.clear();
    // A whole answer that became an error after its head was sent.
    if (container_->head().status == 504) {
      return end_with(
          "ModelStreamError",
          R"({"ErrorCode":"ModelInvocationTimeExceeded","Message":"The model's container failed."})");
    }
    if (container_->head().status >= 400) {
      return end_with("InternalStreamFailure", R"({"Message":"The model's container failed."})");
    }
    if (step.kind == Step::Kind::bytes && !step.bytes.empty()) {
      protocol::append_payload_part(out_, step.bytes);
      step.bytes = out_;
    } else if (step.kind == Step::Kind::broken) {
      return end_with(
          "ModelStreamError",
          R"({"ErrorCode":"StreamBroken","Message":"The model's container broke off its answer."})");
    }
    return step;
  }

 private:
  Step end_with(std::string_view type, std::string_view error) {
    broken_ = true;
    protocol::append_exception(out_, type, error);
    return {.kind = Step::Kind::bytes, .bytes = out_};
  }

  std::unique_ptr<Generation> container_;
  ResponseHead head_;
  std::string out_;
  bool broken_{};
};

/// Passes the container's body on unchanged, or reports its refusal. Before its first bytes arrive, an answer
/// may still become an error.
class Body final : public Generation {
 public:
  Body(std::unique_ptr<Generation> container, std::string request_id)
      : container_(std::move(container)), request_id_(std::move(request_id)) {
    take_head();
  }

  const ResponseHead& head() const override { return head_; }
  bool streamed() const override { return false; }
  Step step(TimePoint now) override {
    if (said_) return {};
    auto step = container_->step(now);
    if (!sent_) take_head();
    if (step.kind == Step::Kind::bytes && !step.bytes.empty()) sent_ = true;
    return refused_ ? wrap(step) : step;
  }

 private:
  void take_head() {
    const int status = container_->head().status;
    refused_ = status >= 400;
    if (refused_) {
      head_ = head_of(424, {{"content-type", "application/json"}, {"x-amzn-ErrorType", "ModelError"}},
                      request_id_);
    } else {
      head_ = head_of(status, {{"content-type", type_of(*container_)}}, request_id_);
    }
  }

  /// The container's whole error, wrapped in the service's own.
  Step wrap(const Step& step) {
    if (step.kind == Step::Kind::bytes) {
      original_ += step.bytes;
      return {.kind = Step::Kind::bytes};
    }
    if (step.kind == Step::Kind::done) {
      said_ = true;
      out_ = body();
      return {.kind = Step::Kind::bytes, .bytes = out_};
    }
    return step;
  }

  std::string body() const {
    const auto status = container_->head().status;
    const bool client = status < 500;
    return print(
        {{"ErrorCode", client ? "CLIENT_ERROR_FROM_MODEL" : "SERVER_ERROR_FROM_MODEL"},
         {"Message", std::string("Received ") + (client ? "client" : "server") + " error (" +
                         std::to_string(status) + ") from primary with message \"" + original_ + "\"."},
         {"OriginalMessage", original_},
         {"OriginalStatusCode", status}});
  }

  std::unique_ptr<Generation> container_;
  std::string request_id_;
  ResponseHead head_;
  std::string original_;
  std::string out_;
  bool refused_{};
  bool sent_{};
  bool said_{};
};

}  // namespace

std::unique_ptr<Generation> behind_sagemaker(std::unique_ptr<Generation> container, bool in_frames,
                                             const std::string& request_id) {
  if (in_frames && container->head().status < 400)
    return std::make_unique<SageMakerFrames>(std::move(container), request_id);
  return std::make_unique<Body>(std::move(container), request_id);
}

}  // namespace inferwire::inline v0_1::engine
