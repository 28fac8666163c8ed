#include "proxy/broker.hpp"

#include "base/check.hpp"
#include "dlp/base_n.hpp"
#include "proxy/sigv4.hpp"
#include "proxy/token.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::proxy {
namespace {

using Kind = policies::CredentialSpot::Kind;

constexpr std::string_view kHole = "{}";
constexpr std::string_view kBasic = "Basic ";

std::string_view text_of(SecretPage const& page) {
  return {reinterpret_cast<char const*>(page.bytes().data()), page.bytes().size()};
}

/// One credential at work on one request.
class Swap {
 public:
  Swap(BrokeredCredential const& credential, BrokeredRequest& request) : credential_(credential), request_(request) {}

  void run() {
    for (auto const& spot : credential_.spots) {
      if (spot.kind == Kind::header) in_header(spot);
      if (spot.kind == Kind::basic) in_basic();
      if (spot.kind == Kind::query) in_query(spot.name);
      if (spot.kind == Kind::body) request_.in_body.push_back(credential_.name);
    }
    if (used_) request_.used.push_back(credential_.name);
  }

 private:
  std::string shown() const { return "{" + credential_.name + "}"; }

  /// Puts `shown` and `sent` in place of the placeholder, if `text` holds it once or more.
  bool replace(std::string& shown_text, std::string& sent_text) {
    bool found = false;
    auto const& placeholder = credential_.placeholder;
    for (auto at = sent_text.find(placeholder); at != std::string::npos;
         at = sent_text.find(placeholder, at + placeholder.size())) {
      sent_text.replace(at, placeholder.size(), text_of(credential_.value));
      found = true;
    }
    for (auto at = shown_text.find(placeholder); at != std::string::npos; at = shown_text.find(placeholder)) {
      shown_text.replace(at, placeholder.size(), shown());
    }
    used_ = used_ || found;
    return found;
  }

  void in_header(policies::CredentialSpot const& spot) {
    auto exact = spot.form;
    exact.replace(exact.find(kHole), kHole.size(), credential_.placeholder);
    for (std::size_t i = 0; i < request_.head.fields.size(); ++i) {
      auto& field = request_.head.fields[i];
      bool const fits = equal_no_case(field.name, spot.name) && (spot.form == kHole || field.value == exact);
      if (fits) replace(request_.shown_head.fields[i].value, field.value);
    }
  }

  /// credentials = "Basic" base64(user ":" password), RFC 7617.
  void in_basic() {
    for (std::size_t i = 0; i < request_.head.fields.size(); ++i) {
      auto& field = request_.head.fields[i];
      bool const basic = equal_no_case(field.name, "authorization") &&
                         equal_no_case(std::string_view(field.value).substr(0, kBasic.size()), kBasic);
      if (!basic) continue;
      auto decoded = dlp::base64_bytes(std::string_view(field.value).substr(kBasic.size()));
      if (!decoded) continue;
      auto shown_text = *decoded;
      if (!replace(shown_text, *decoded)) continue;
      field.value = std::string(kBasic) + dlp::to_base64(*decoded);
      request_.shown_head.fields[i].value = std::string(kBasic) + shown_text;
    }
  }

  /// The parameter's whole value, between '=' and '&'.
  void in_query(std::string_view name) {
    auto const query = request_.target.path.query();
    auto const wanted = std::string(name) + "=" + credential_.placeholder;
    for (std::size_t begin = 0; begin <= query.size();) {
      auto const end = std::min(query.find('&', begin), query.size());
      if (std::string_view(query).substr(begin, end - begin) == wanted) return set_query(begin + name.size() + 1);
      begin = end + 1;
    }
  }
  void set_query(std::size_t at) {
    request_.target.path = with_value(request_.target.path, at, std::string(text_of(credential_.value)));
    request_.shown_target.path = with_value(request_.shown_target.path, at, credential_.name);
    used_ = true;
  }
  policies::CanonicalPath with_value(policies::CanonicalPath const& path, std::size_t at, std::string value) const {
    auto query = path.query();
    query.replace(at, credential_.placeholder.size(), value);
    auto made = policies::CanonicalPath::from(path.path() + "?" + query);
    return made ? *made : path;  // a value that no query can hold stays a placeholder, and is refused as one
  }

  BrokeredCredential const& credential_;
  BrokeredRequest& request_;
  bool used_ = false;
};

bool is_bound(BrokeredCredential const& credential, policies::CanonicalHost const& host) {
  return std::any_of(credential.hosts.begin(), credential.hosts.end(),
                     [&](auto const& pattern) { return pattern.matches(host); });
}

bool signs(BrokeredCredential const& credential) {
  return std::any_of(credential.spots.begin(), credential.spots.end(), [](auto const& spot) { return spot.kind == Kind::sigv4; });
}

/// After everything else: what stands in the head, a session token too, is signed. What is looked at keeps the client's own signature.
void sign(BrokeredCredential const& credential, RequestHead const& head, HttpTarget const& target, AwsSignature const& asked, BrokeredRequest& request) {
  if (!asked.is_made_with(credential.placeholder, head, target)) return;
  request.signs_chunks = asked.signs_chunks();
  asked.renew(text_of(credential.value), request.head, request.target);
  request.signed_with.push_back(credential.name);
}

}  // namespace

Result<std::vector<BrokeredCredential>> copy_of(std::vector<BrokeredCredential> const& credentials) {
  std::vector<BrokeredCredential> copies;
  for (auto const& each : credentials) {
    auto value = each.value.copy();
    if (!value) return value.error();
    copies.push_back({each.name, each.placeholder, *std::move(value), each.hosts, each.spots});
  }
  return copies;
}

BrokeredRequest Broker::swap(RequestHead head, HttpTarget target, std::string_view body) const {
  BrokeredRequest request{head, target, head, target, {}, {}};
  if (target.scheme != UrlScheme::https) return request;
  for (auto const& credential : credentials_) {
    if (is_bound(credential, target.host)) Swap(credential, request).run();
  }
  if (!may_sign(target)) return request;
  auto asked = AwsSignature::read(head, target);
  if (!asked) return request;
  if (asked->needs_body_hash()) asked->set_body(body);
  for (auto const& credential : credentials_) {
    if (signs(credential) && is_bound(credential, target.host)) sign(credential, head, target, *asked, request);
  }
  return request;
}

bool Broker::needs_body(RequestHead const& head, HttpTarget const& target) const {
  if (!may_sign(target)) return false;
  auto const asked = AwsSignature::read(head, target);
  return asked && asked->needs_body_hash();
}

bool Broker::may_sign(HttpTarget const& target) const {
  return target.scheme == UrlScheme::https && std::any_of(credentials_.begin(), credentials_.end(),
                                                          [&](BrokeredCredential const& each) { return signs(each) && is_bound(each, target.host); });
}

std::string_view Broker::value_of(std::string_view name) const { return text_of(find(name).value); }

void Broker::replace(std::string_view name, SecretPage value) {
  for (auto& credential : credentials_) {
    if (credential.name != name) continue;
    credential.earlier.push_back(std::exchange(credential.value, std::move(value)));
    return;
  }
}

BrokeredCredential const& Broker::find(std::string_view name) const {
  auto const found =
      std::find_if(credentials_.begin(), credentials_.end(), [&](auto const& each) { return each.name == name; });
  check(found != credentials_.end(), "a credential that was used is there");
  return *found;
}

}  // namespace sallyport::proxy
