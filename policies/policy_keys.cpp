#include "policies/policy_keys.hpp"

namespace sallyport::policies {

namespace {

constexpr auto kLater = Availability::later;

constexpr Key kDocument[] = {{"version"},        {"name"},
                             {"extends"},        {"network"},
                             {"mode"},           {"egress"},
                             {"jail"},           {"credentials", kLater},
                             {"dlp", kLater},    {"commands", kLater},
                             {"tests", kLater},  {"max", kLater},
                             {"require", kLater}};
constexpr Key kRule[] = {{"name"},        {"hosts"},          {"ports"},      {"inspect"},       {"methods"},
                         {"paths"},       {"action"},         {"resolve"},    {"public_suffix"}, {"processes", kLater},
                         {"dlp", kLater}, {"limits", kLater}, {"git", kLater}};
constexpr Key kJail[] = {{"filesystem"}, {"env"}, {"limits", kLater}, {"unix_sockets", kLater}, {"host_ports", kLater}};
constexpr Key kFilesystem[] = {{"read"}, {"write"}, {"hide"}, {"workspace"}};
constexpr Key kEnvironment[] = {{"pass"}, {"set"}};

}  // namespace

std::span<Key const> keys_of(Section section) {
  switch (section) {
    case Section::document:
      return kDocument;
    case Section::rule:
      return kRule;
    case Section::jail:
      return kJail;
    case Section::filesystem:
      return kFilesystem;
    case Section::environment:
      return kEnvironment;
  }
  return {};
}

}  // namespace sallyport::policies
