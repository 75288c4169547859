#include "support/tls_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace inferwire_test {

namespace {

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<&EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<&X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Freed<&SSL_CTX_free>>;
using Connection = std::unique_ptr<SSL, Freed<&SSL_free>>;

template <class T>
T need(T value) {
  if (!value) throw std::runtime_error("the TLS server of the tests cannot be set up");
  return value;
}

Certificate sign_own(EVP_PKEY* key) {
  Certificate certificate(need(X509_new()));
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 24 * 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("inferwire tests"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate.get(), certificate.get(), nullptr, nullptr, 0);
  for (const auto& [extension, value] : {std::pair{NID_subject_alt_name, "IP:127.0.0.1"},
                                         std::pair{NID_basic_constraints, "critical,CA:TRUE"}}) {
    const std::unique_ptr<X509_EXTENSION, Freed<&X509_EXTENSION_free>> made(
        need(X509V3_EXT_conf_nid(nullptr, &context, extension, value)));
    X509_add_ext(certificate.get(), made.get(), -1);
  }
  need(X509_sign(certificate.get(), key, EVP_sha256()));
  return certificate;
}

std::string to_pem(X509* certificate) {
  const std::unique_ptr<BIO, Freed<&BIO_free_all>> memory(need(BIO_new(BIO_s_mem())));
  need(PEM_write_bio_X509(memory.get(), certificate));
  char* bytes{};
  const auto size = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

struct TlsServer::Running {
  Running() {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets that a client has closed
    const Key key(need(EVP_EC_gen("P-256")));
    const auto certificate = sign_own(key.get());
    pem = to_pem(certificate.get());
    context.reset(need(SSL_CTX_new(TLS_server_method())));
    need(SSL_CTX_use_certificate(context.get(), certificate.get()));
    need(SSL_CTX_use_PrivateKey(context.get(), key.get()));

    listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    need(::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    need(::listen(listener, 8) == 0);
    need(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
    need(::pipe(stop) == 0);
    thread = std::thread([this] { run(); });
  }

  ~Running() {
    ::close(stop[1]);
    thread.join();
    ::close(stop[0]);
    ::close(listener);
  }

  bool readable(int descriptor) const {
    pollfd watched[2]{{stop[0], POLLIN, 0}, {descriptor, POLLIN, 0}};
    while (::poll(watched, 2, -1) < 0) {}
    return watched[0].revents == 0;
  }

  void run() {
    while (readable(listener)) {
      const int accepted = ::accept(listener, nullptr, nullptr);
      if (accepted < 0) continue;
      serve(accepted);
      ::close(accepted);
    }
  }

  void serve(int descriptor) {
    const Connection connection(SSL_new(context.get()));
    SSL_set_fd(connection.get(), descriptor);
    if (!readable(descriptor) || SSL_accept(connection.get()) != 1) return ERR_clear_error();
    std::string request;
    char bytes[4096];
    constexpr std::string_view answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    for (;;) {
      if (SSL_pending(connection.get()) == 0 && !readable(descriptor)) return;
      const int count = SSL_read(connection.get(), bytes, sizeof bytes);
      if (count <= 0) return ERR_clear_error();
      request.append(bytes, static_cast<std::size_t>(count));
      if (request.find("\r\n\r\n") == request.npos) continue;  // requests of these tests have no body
      request.clear();
      SSL_write(connection.get(), answer.data(), static_cast<int>(answer.size()));
    }
  }

  Context context;
  std::string pem;
  int listener{-1};
  int stop[2]{-1, -1};
  std::uint16_t port{};
  std::thread thread;
};

TlsServer::TlsServer() : running_(std::make_unique<Running>()) {}
TlsServer::~TlsServer() = default;

std::string TlsServer::url(const std::string& host) const {
  return "https://" + host + ":" + std::to_string(running_->port);
}
const std::string& TlsServer::certificate() const { return running_->pem; }

}  // namespace inferwire_test
