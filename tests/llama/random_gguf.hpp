/// \file
/// A model of random weights in a GGUF file (version 3). It only serves to test that files are loaded and
/// computed.
#pragma once

#include "base/utf8.hpp"
#include "engine/model/random.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire_test {

/// A model of Llama's architecture: two layers, the 256 bytes and a few joined tokens, a chat template. If
/// `pooling` is given, the file specifies how vectors are pooled, by llama.cpp's number.
class RandomGguf {
 public:
  static constexpr std::uint32_t context_window = 512;
  static constexpr std::uint32_t width = 64;

  explicit RandomGguf(std::optional<std::uint32_t> pooling = {}) {
    add_vocabulary();
    add_description();
    if (pooling) add("llama.pooling_type", *pooling);
    add_tensors();
  }

  /// The file.
  std::string bytes() const {
    Bytes head;
    head.text = "GGUF";
    head.number(std::uint32_t{3});
    head.number(static_cast<std::uint64_t>(tensors_.size()));
    head.number(count_);
    head.text += values_.text;
    std::uint64_t offset = 0;
    for (const auto& tensor : tensors_) {
      head.string(tensor.name);
      head.number(static_cast<std::uint32_t>(tensor.shape.size()));
      for (const auto size : tensor.shape) head.number(static_cast<std::uint64_t>(size));
      head.number(float_tensor);
      head.number(offset);
      offset += padded(tensor.bytes.size());
    }
    auto file = std::move(head.text);
    file.resize(padded(file.size()));
    for (const auto& tensor : tensors_) {
      file += tensor.bytes;
      file.resize(padded(file.size()));
    }
    return file;
  }

 private:
  static constexpr std::uint32_t heads = 4, shared_heads = 2, layers = 2, inner = 128;
  static constexpr std::uint32_t float_tensor = 0;
  enum Type : std::uint32_t {
    integer = 4,
    signed_integer = 5,
    fraction = 6,
    boolean = 7,
    text = 8,
    list = 9
  };

  struct Bytes {
    template <class Number>
    void number(Number value) {
      const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
      text.append(bytes.data(), bytes.size());
    }
    void string(std::string_view value) {
      number(static_cast<std::uint64_t>(value.size()));
      text += value;
    }
    std::string text{};
  };
  struct Tensor {
    std::string name{};
    std::vector<std::uint32_t> shape{};
    std::string bytes{};
  };

  static std::size_t padded(std::size_t size) { return (size + 31) / 32 * 32; }

  /// Spells bytes as GPT-2's vocabularies do: bytes that cannot be printed become characters from U+0100 on.
  static std::string spelt(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      char32_t next = 0x100;
      for (unsigned other = 0; other < byte; ++other) next += is_printable(other) ? 0 : 1;
      inferwire::utf8::append(out, is_printable(byte) ? char32_t{byte} : next);
    }
    return out;
  }
  static bool is_printable(unsigned byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  }

  void key(const char* name, std::uint32_t type) {
    ++count_;
    values_.string(name);
    values_.number(type);
  }
  void add(const char* name, std::uint32_t value) {
    key(name, integer);
    values_.number(value);
  }
  void add(const char* name, std::string_view value) {
    key(name, text);
    values_.string(value);
  }
  void add(const char* name, const std::vector<std::string>& values) {
    key(name, list);
    values_.number(std::uint32_t{text});
    values_.number(static_cast<std::uint64_t>(values.size()));
    for (const auto& value : values) values_.string(value);
  }

  void add_vocabulary() {
    for (int byte = 0; byte < 256; ++byte) tokens_.push_back(spelt(std::string(1, static_cast<char>(byte))));
    for (const auto& [left, right] :
         {std::pair{" ", "t"}, {"h", "e"}, {"i", "n"}, {" t", "he"}, {"in", "g"}}) {
      merges_.push_back(spelt(left) + " " + spelt(right));
      tokens_.push_back(spelt(left) + spelt(right));
    }
    ordinary_ = tokens_.size();
    for (const char* const special : {"<|bos|>", "<|im_start|>", "<|im_end|>"}) tokens_.emplace_back(special);
  }

  void add_description() {
    add("general.architecture", "llama");
    add("general.name", "random");
    add("llama.context_length", context_window);
    add("llama.embedding_length", width);
    add("llama.block_count", layers);
    add("llama.feed_forward_length", inner);
    add("llama.attention.head_count", heads);
    add("llama.attention.head_count_kv", shared_heads);
    add("llama.rope.dimension_count", width / heads);
    add("llama.vocab_size", static_cast<std::uint32_t>(tokens_.size()));
    key("llama.attention.layer_norm_rms_epsilon", fraction);
    values_.number(1e-5F);
    add("tokenizer.ggml.model", "gpt2");
    add("tokenizer.ggml.pre", "gpt-2");
    add("tokenizer.ggml.tokens", tokens_);
    add("tokenizer.ggml.merges", merges_);
    key("tokenizer.ggml.token_type", list);
    values_.number(std::uint32_t{signed_integer});
    values_.number(static_cast<std::uint64_t>(tokens_.size()));
    for (std::size_t i = 0; i < tokens_.size(); ++i) values_.number(i < ordinary_ ? 1 : 3);  // 3: control
    add("tokenizer.ggml.bos_token_id", static_cast<std::uint32_t>(ordinary_));
    add("tokenizer.ggml.eos_token_id", static_cast<std::uint32_t>(ordinary_ + 2));
    key("tokenizer.ggml.add_bos_token", boolean);
    values_.number(true);
    add("tokenizer.chat_template",
        "{% for m in messages %}{{'<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + '\n'}}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}");
  }

  /// Adds a tensor of uniform values around 0, in a narrower range the more of them are added up; a norm is
  /// all 1.
  void tensor(const std::string& name, std::vector<std::uint32_t> shape, bool norm = false) {
    std::size_t size = 1;
    for (const auto n : shape) size *= n;
    const float wide = 3.4F / std::sqrt(static_cast<float>(shape[0]));
    Bytes bytes;
    for (std::size_t i = 0; i < size; ++i) bytes.number(norm ? 1.0F : wide * (random_.uniform() - 0.5F));
    tensors_.push_back({name, std::move(shape), std::move(bytes.text)});
  }

  void add_tensors() {
    const auto vocabulary = static_cast<std::uint32_t>(tokens_.size());
    const auto shared = width / heads * shared_heads;
    tensor("token_embd.weight", {width, vocabulary});
    tensor("output_norm.weight", {width}, true);
    tensor("output.weight", {width, vocabulary});
    for (std::uint32_t i = 0; i < layers; ++i) {
      const auto block = "blk." + std::to_string(i) + ".";
      tensor(block + "attn_norm.weight", {width}, true);
      tensor(block + "attn_q.weight", {width, width});
      tensor(block + "attn_k.weight", {width, shared});
      tensor(block + "attn_v.weight", {width, shared});
      tensor(block + "attn_output.weight", {width, width});
      tensor(block + "ffn_norm.weight", {width}, true);
      tensor(block + "ffn_gate.weight", {width, inner});
      tensor(block + "ffn_up.weight", {width, inner});
      tensor(block + "ffn_down.weight", {inner, width});
    }
  }

  inferwire::engine::Random random_{1};
  std::vector<std::string> tokens_;
  std::vector<std::string> merges_;
  std::size_t ordinary_{};
  std::uint64_t count_{};
  Bytes values_;
  std::vector<Tensor> tensors_;
};

}  // namespace inferwire_test
