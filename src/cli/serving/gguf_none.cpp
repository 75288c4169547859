#include "cli/serving/gguf.hpp"

namespace inferwire::inline v0_1::cli {

Result<std::vector<engine::Endpoint>> gguf_endpoints(const std::string&) {
  return Error{.kind = ErrorKind::unsupported,
               .detail = "this program was built without llama.cpp (INFERWIRE_WITH_LLAMA)"};
}

}  // namespace inferwire::inline v0_1::cli
