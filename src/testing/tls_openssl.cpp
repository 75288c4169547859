#include "testing/openssl.hpp"
#include "testing/tls.hpp"

#include <array>
#include <utility>

namespace inferwire::inline v0_1::testing {

namespace {

using ContextOwner = std::unique_ptr<SSL_CTX, Freed<&SSL_CTX_free>>;
using SessionOwner = std::unique_ptr<SSL, Freed<&SSL_free>>;

class Session final : public TlsSession {
 public:
  explicit Session(SSL_CTX* context)
      : ssl_(SSL_new(context)), in_(BIO_new(BIO_s_mem())), out_(BIO_new(BIO_s_mem())) {
    SSL_set_bio(ssl_.get(), in_, out_);  // takes ownership of both
    SSL_set_accept_state(ssl_.get());
  }

  bool receive(std::string_view bytes, std::string& plain, std::string& wire) override {
    BIO_write(in_, bytes.data(), static_cast<int>(bytes.size()));
    std::array<char, 16 * 1024> buffer;
    int count{};
    while ((count = SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()))) > 0) {
      plain.append(buffer.data(), static_cast<std::size_t>(count));
    }
    const bool goes_on = SSL_get_error(ssl_.get(), count) == SSL_ERROR_WANT_READ;
    ERR_clear_error();
    take(wire);
    return goes_on;
  }

  void send(std::string_view plain, std::string& wire) override {
    while (!plain.empty()) {  // in parts, since lengths are int here
      const auto part = plain.substr(0, 1u << 20);
      if (SSL_write(ssl_.get(), part.data(), static_cast<int>(part.size())) <= 0) break;
      plain.remove_prefix(part.size());
    }
    ERR_clear_error();
    take(wire);
  }

  void close(std::string& wire) override {
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
    take(wire);
  }

  bool handshake_done() const noexcept override { return SSL_is_init_finished(ssl_.get()) == 1; }
  bool resumed() const noexcept override { return SSL_session_reused(ssl_.get()) == 1; }

 private:
  void take(std::string& wire) {
    wire += text_of(out_);
    BIO_reset(out_);
  }

  SessionOwner ssl_;
  BIO* in_;
  BIO* out_;
};

class Server final : public TlsServer {
 public:
  Server(ContextOwner context, std::string alpn) : context_(std::move(context)), alpn_(std::move(alpn)) {
    if (!alpn_.empty()) SSL_CTX_set_alpn_select_cb(context_.get(), &Server::choose, this);
  }
  std::unique_ptr<TlsSession> accept() override { return std::make_unique<Session>(context_.get()); }

 private:
  /// `offered` is a list of names, each preceded by its length.
  static int choose(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                    unsigned int offered_size, void* self) {
    const std::string_view alpn = static_cast<const Server*>(self)->alpn_;
    for (unsigned int at = 0; at < offered_size; at += 1u + offered[at]) {
      *chosen = offered + at + 1;
      *size = offered[at];
      if (std::string_view(reinterpret_cast<const char*>(*chosen), *size) == alpn) return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_NOACK;
  }

  ContextOwner context_;
  std::string alpn_;
};

}  // namespace

Result<std::unique_ptr<TlsServer>> make_tls_server(const MockServerOptions& options) {
  ContextOwner context(SSL_CTX_new(TLS_server_method()));
  const auto certificate = read_certificate(options.certificate->pem);
  const auto key = read_key(options.certificate->key_pem);
  if (!context || !certificate || !key || SSL_CTX_use_certificate(context.get(), certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1) {
    return unusable("the certificate or its key cannot be read");
  }
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  if (options.max_tls == TlsVersion::v1_2) SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);
  if (!options.client_issuer.empty()) {
    const auto issuer = read_certificate(options.client_issuer);
    if (!issuer) return unusable("the issuer of clients' certificates cannot be read");
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), issuer.get());
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    // A session can only be resumed if it is known which client it belongs to, so resumption is disabled.
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  }
  return std::unique_ptr<TlsServer>(std::make_unique<Server>(std::move(context), options.alpn));
}

}  // namespace inferwire::inline v0_1::testing
