#include "inferwire/testing/certificate.hpp"
#include "testing/openssl.hpp"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/x509v3.h>

#include <chrono>
#include <utility>

namespace inferwire::inline v0_1::testing {

namespace {

using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<&EVP_PKEY_CTX_free>>;

Key make_key() {
  const KeyContext context(EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nullptr));
  EVP_PKEY* key{};
  if (!context || EVP_PKEY_keygen_init(context.get()) != 1 ||
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context.get(), NID_X9_62_prime256v1) != 1 ||
      EVP_PKEY_keygen(context.get(), &key) != 1) {
    return nullptr;
  }
  return Key(key);
}

bool is_address(const std::string& host) {
  return host.find(':') != host.npos || host.find_first_not_of("0123456789.") == host.npos;
}

/// subjectAltName in OpenSSL's form: "DNS:localhost,IP:127.0.0.1".
std::string alternative_names(const std::vector<std::string>& hosts) {
  std::string names;
  for (const auto& host : hosts) {
    if (!names.empty()) names += ',';
    (names += is_address(host) ? "IP:" : "DNS:") += host;
  }
  return names;
}

bool add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Freed<&X509_EXTENSION_free>> made(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return made && X509_add_ext(certificate, made.get(), -1) == 1;
}

void set_name(X509* certificate, const std::string& text) {
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(text.c_str()), -1, -1, 0);
}

/// A unique name: a client that trusts several issuers finds the right one by its name.
std::string issuer_name(const BIGNUM* number) {
  constexpr auto free = [](char* text) { OPENSSL_free(text); };
  const std::unique_ptr<char, decltype(free)> digits(BN_bn2hex(number));
  return std::string("inferwire test issuer ") + (digits ? digits.get() : "");
}

/// OpenSSL takes the seconds as a long, which on some machines holds no more than those of 68 years.
bool set_time(ASN1_TIME* time, std::chrono::seconds from_now) {
  const auto days = std::chrono::floor<std::chrono::days>(from_now);
  if (!std::in_range<int>(days.count())) return false;
  const auto seconds = static_cast<long>((from_now - days).count());
  return X509_time_adj_ex(time, static_cast<int>(days.count()), seconds, nullptr) != nullptr;
}

bool set_validity(X509* certificate, const CertificateOptions& options) {
  return set_time(X509_getm_notBefore(certificate), options.from) &&
         set_time(X509_getm_notAfter(certificate), options.until);
}

}  // namespace

Result<Certificate> make_certificate(const CertificateOptions& options, const Certificate* issuer) {
  const auto key = make_key();
  const X509Owner certificate(X509_new());
  if (!key || !certificate) return unusable("OpenSSL makes no key for a certificate");
  const auto issuer_key = issuer ? read_key(issuer->key_pem) : nullptr;
  const auto issuer_certificate = issuer ? read_certificate(issuer->pem) : nullptr;
  if (issuer && (!issuer_key || !issuer_certificate)) return unusable("the issuer's PEM cannot be read");
  X509* const signer = issuer ? issuer_certificate.get() : certificate.get();

  X509_set_version(certificate.get(), 2);  // counted from 0
  const std::unique_ptr<BIGNUM, Freed<&BN_free>> number(BN_new());
  constexpr int serial_bits = 63;
  BN_rand(number.get(), serial_bits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY);
  BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get()));
  if (!set_validity(certificate.get(), options)) return unusable("a certificate cannot name these times");
  X509_set_pubkey(certificate.get(), key.get());
  set_name(certificate.get(), issuer ? "inferwire test" : issuer_name(number.get()));
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(signer));
  const bool complete =
      add_extension(certificate.get(), signer, NID_basic_constraints,
                    issuer ? "critical,CA:FALSE" : "critical,CA:TRUE") &&
      (options.hosts.empty() ||
       add_extension(certificate.get(), signer, NID_subject_alt_name, alternative_names(options.hosts)));
  if (!complete) return unusable("a certificate cannot name these hosts");
  X509_sign(certificate.get(), issuer ? issuer_key.get() : key.get(), EVP_sha256());

  const Memory pem(BIO_new(BIO_s_mem()));
  const Memory key_pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(pem.get(), certificate.get());
  PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return Certificate{text_of(pem.get()), text_of(key_pem.get())};
}

}  // namespace inferwire::inline v0_1::testing
