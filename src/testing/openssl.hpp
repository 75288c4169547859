/// \file
/// OpenSSL code shared by certificates and TLS: owners, and PEM.
#pragma once

#include "inferwire/error.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::testing {

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const noexcept {
    Free(object);
  }
};
using Memory = std::unique_ptr<BIO, Freed<&BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<&EVP_PKEY_free>>;
using X509Owner = std::unique_ptr<X509, Freed<&X509_free>>;

inline Error unusable(std::string what) {
  ERR_clear_error();  // OpenSSL's error queue of this thread; libcurl would take its contents for its own
                      // errors
  return {.kind = ErrorKind::config, .detail = std::move(what)};
}

inline Memory memory_of(const std::string& text) {
  return Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

inline std::string text_of(BIO* memory) {
  char* bytes{};
  const auto size = BIO_get_mem_data(memory, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

inline X509Owner read_certificate(const std::string& pem) {
  return X509Owner(PEM_read_bio_X509(memory_of(pem).get(), nullptr, nullptr, nullptr));
}

inline Key read_key(const std::string& pem) {
  return Key(PEM_read_bio_PrivateKey(memory_of(pem).get(), nullptr, nullptr, nullptr));
}

}  // namespace inferwire::inline v0_1::testing
