// Tokens of Azure service principals for Databricks workspaces.
#include "auth/databricks/sources.hpp"
#include "auth/fetch/fetch_source.hpp"
#include "auth/fetch/form.hpp"
#include "auth/fetch/token_answer.hpp"
#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

constexpr std::string_view azure_service = "Azure";
/// The id of Databricks in Azure.
constexpr std::string_view databricks_resource = "2ff814a6-3304-4ab8-85cb-cd0e6f879c1d";

struct Cloud {
  std::string_view name;
  std::string_view login;
  std::string_view management;
};
constexpr std::array clouds{
    Cloud{"PUBLIC", "https://login.microsoftonline.com/", "https://management.core.windows.net/"},
    Cloud{"USGOVERNMENT", "https://login.microsoftonline.us/", "https://management.core.usgovcloudapi.net/"},
    Cloud{"CHINA", "https://login.chinacloudapi.cn/", "https://management.core.chinacloudapi.cn/"}};

/// The name of the cloud that a workspace is in.
std::string_view cloud_of(std::string_view host) {
  if (host.ends_with(".databricks.azure.us")) return "USGOVERNMENT";
  return host.ends_with(".databricks.azure.cn") ? "CHINA" : "PUBLIC";
}

/// A token for the workspace and, if a resource id is given, another one for Azure's management.
class AzureCredential final : public Credential {
 public:
  AzureCredential(Secret token, Secret management_token, std::string resource_id)
      : token_(std::move(token)),
        management_token_(std::move(management_token)),
        resource_id_(std::move(resource_id)) {}

  Prepared prepare(HttpRequest& request, Instant) override {
    put_bearer(request, token_.reveal());
    if (resource_id_.empty()) return Ready{};
    request.headers.push_back(
        {"X-Databricks-Azure-SP-Management-Token", std::string(management_token_.reveal())});
    request.headers.push_back({"X-Databricks-Azure-Workspace-Resource-Id", resource_id_});
    return Ready{};
  }
  void conceal(std::string& text) override {
    protocol::conceal(text, token_.reveal());
    protocol::conceal(text, management_token_.reveal());
  }

 private:
  Secret token_;
  Secret management_token_;
  std::string resource_id_;
};

class AzureSource final : public FetchSource {
 public:
  AzureSource(AzurePrincipal principal, const Cloud& cloud)
      : principal_(std::move(principal)), cloud_(cloud) {}

 private:
  Result<Credential::Fetch> request(Instant) override {
    if (tenant().empty()) {
      return Credential::Fetch{.request = {.method = "GET", .url = principal_.host + "/aad/auth"},
                               .limit = std::chrono::seconds(10)};
    }
    return Credential::Fetch{.request =
                                 token_request(needs_management() ? cloud_.management : databricks_resource)};
  }

  /// Whether the management token must be fetched next.
  bool needs_management() const { return !management_ && !principal_.workspace_resource_id.empty(); }

  /// The configured tenant, or else the one named by the workspace; empty: the workspace must be asked.
  const std::string& tenant() const {
    return principal_.tenant_id.empty() ? discovered_tenant_ : principal_.tenant_id;
  }

  HttpRequest token_request(std::string_view resource) const {
    auto url = std::string(cloud_.login) + percent_encode_segment(tenant());
    return post_form(url + "/oauth2/token", {{"grant_type", "client_credentials"},
                                             {"client_id", principal_.client_id},
                                             {"client_secret", principal_.client_secret.reveal()},
                                             {"resource", resource}});
  }

  Outcome read(const ResponseHead& head, std::string_view body, Instant now) override {
    if (tenant().empty()) return read_tenant(head);
    auto token = read_token(azure_service, head, body, now);
    if (!token) {
      discovered_tenant_.clear();  // it may be the cause
      return std::move(token).error();
    }
    if (needs_management()) {
      management_ = *std::move(token);
      return std::nullopt;
    }
    auto end = token->expires_at;
    if (management_ && management_->expires_at) {
      end = end ? std::min(*end, *management_->expires_at) : management_->expires_at;
    }
    return Grant{
        std::make_shared<AzureCredential>(std::move(token->text), management_ ? management_->text : Secret(),
                                          principal_.workspace_resource_id),
        end};
  }

  /// A workspace redirects browsers to its tenant: "https://login.microsoftonline.com/{tenant}/oauth2/...".
  /// Redirects to other places, such as a proxy's login, do not name it.
  Outcome read_tenant(const ResponseHead& head) {
    auto place = find_header(head.headers, "location").value_or("");
    if (place.starts_with(cloud_.login)) {
      place.remove_prefix(cloud_.login.size());
      discovered_tenant_ = place.substr(0, place.find_first_of("/?#"));
    }
    if (!discovered_tenant_.empty()) return std::nullopt;
    return Error{.kind = ErrorKind::auth,
                 .detail = "the workspace names no Azure tenant; set azure_tenant_id",
                 .status = head.status};
  }

  void restart() override { management_.reset(); }
  std::string_view secret() const override { return principal_.client_secret.reveal(); }

  AzurePrincipal principal_;
  const Cloud& cloud_;
  std::string discovered_tenant_{};
  std::optional<AccessToken> management_{};
};

}  // namespace

Result<std::unique_ptr<GrantSource>> azure_source(AzurePrincipal principal) {
  if (principal.environment.empty()) principal.environment = cloud_of(principal.host);
  for (const auto& cloud : clouds) {
    if (ascii::equal_ignoring_case(cloud.name, principal.environment)) {
      return std::unique_ptr<GrantSource>(std::make_unique<AzureSource>(std::move(principal), cloud));
    }
  }
  return Error{.kind = ErrorKind::config,
               .detail = "azure_environment is none of PUBLIC, USGOVERNMENT and CHINA"};
}

}  // namespace inferwire::inline v0_1::auth
