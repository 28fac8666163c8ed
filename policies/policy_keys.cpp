#include "policies/policy_keys.hpp"

namespace sallyport::policies {

namespace {

constexpr auto kLater = Availability::later;

constexpr Key kDocument[] = {{"version"},        {"name"},
                             {"extends"},        {"network"},
                             {"mode"},           {"egress"},
                             {"jail"},           {"tests"},
                             {"dlp"},            {"credentials"},
                             {"max", kLater},    {"commands", kLater},
                             {"require", kLater}};
constexpr Key kRule[] = {{"name"},    {"hosts"}, {"ports"}, {"inspect"}, {"methods"},       {"paths"},
                         {"query"},   {"headers"}, {"git"}, {"websocket"}, {"action"},  {"resolve"},       {"public_suffix"},
                         {"hint"},    {"processes"}, {"limits"}, {"dlp"}};
constexpr Key kGit[] = {{"repos"}, {"access"}};
constexpr Key kLimits[] = {{"request_body"}, {"upload"}, {"requests_per_minute"}, {"connections"}};
constexpr Key kTest[] = {{"request"}, {"expect"}, {"rule"}, {"reason"}, {"headers"}, {"process"}};
constexpr Key kJail[] = {{"filesystem"}, {"env"}, {"limits", kLater}, {"unix_sockets", kLater}, {"host_ports", kLater}};
constexpr Key kFilesystem[] = {{"read"}, {"write"}, {"hide"}, {"workspace"}};
constexpr Key kDlp[] = {{"action"}, {"known_values"}, {"canaries"}, {"detectors"}, {"allow"}, {"responses"}};
constexpr Key kDetectors[] = {{"disable"}, {"import"}};
constexpr Key kDlpException[] = {{"host"}, {"detector"}, {"until"}, {"digest"}};
constexpr Key kCredential[] = {{"name"}, {"from"}, {"hosts"}, {"header"}, {"authorization"}, {"basic"}, {"query"}, {"body"}, {"sigv4"}, {"into"}, {"optional"}};
constexpr Key kCredentialFile[] = {{"file"}, {"text"}};
constexpr Key kCredentialSource[] = {{"env"}, {"file"}, {"command"}, {"every"}};
constexpr Key kTenants[] = {{"version"}, {"tenants"}};
constexpr Key kTenant[] = {{"name"}, {"policy"}, {"allow"}, {"clients"}, {"listen"}, {"listen_tls"}};
constexpr Key kEnvironment[] = {{"pass"}, {"set"}};

}  // namespace

std::span<Key const> keys_of(Section section) {
  switch (section) {
    case Section::document:
      return kDocument;
    case Section::rule:
      return kRule;
    case Section::git:
      return kGit;
    case Section::limits:
      return kLimits;
    case Section::test:
      return kTest;
    case Section::jail:
      return kJail;
    case Section::filesystem:
      return kFilesystem;
    case Section::environment:
      return kEnvironment;
    case Section::credential:
      return kCredential;
    case Section::credential_file:
      return kCredentialFile;
    case Section::credential_source:
      return kCredentialSource;
    case Section::dlp:
      return kDlp;
    case Section::detectors:
      return kDetectors;
    case Section::dlp_exception:
      return kDlpException;
    case Section::tenants:
      return kTenants;
    case Section::tenant:
      return kTenant;
  }
  return {};
}

}  // namespace sallyport::policies
