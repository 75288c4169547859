/// \file
/// Files that tests write.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace inferwire_test {

/// The path of a file that does not exist yet. The destructor removes the file, if there is one.
class TemporaryFile {
 public:
  TemporaryFile() {
    static int count = 0;
    path_ = (std::filesystem::temp_directory_path() /
             ("inferwire-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++)))
                .string();
    std::filesystem::remove(path_);
  }
  explicit TemporaryFile(const std::string& content) : TemporaryFile() { write(content); }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }

 private:
  std::string path_;
};

}  // namespace inferwire_test
