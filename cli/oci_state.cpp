#include "cli/oci_state.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <limits>

namespace sallyport::cli {
namespace json = boost::json;
namespace {

Result<json::object> parse_object(std::string_view text, char const* what) {
  boost::system::error_code ec;
  auto value = json::parse(json::string_view(text.data(), text.size()), ec);
  if (ec) return Error{Code::invalid, 0, std::string(what) + " is not JSON: " + ec.message()};
  if (!value.is_object()) return Error{Code::invalid, 0, std::string(what) + " is not a JSON object"};
  return std::move(value.get_object());
}

json::object const* object_at(json::object const& in, std::string_view key) {
  auto const* value = in.if_contains(json::string_view(key.data(), key.size()));
  return value != nullptr ? value->if_object() : nullptr;
}

json::array const* array_at(json::object const& in, std::string_view key) {
  auto const* value = in.if_contains(json::string_view(key.data(), key.size()));
  return value != nullptr ? value->if_array() : nullptr;
}

std::string text_at(json::object const& in, std::string_view key) {
  auto const* value = in.if_contains(json::string_view(key.data(), key.size()));
  auto const* text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? std::string(text->data(), text->size()) : "";
}

std::vector<std::string> split(std::string const& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    auto const end = std::min(text.find(',', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

bool has_network_of_its_own(json::object const& config) {
  auto const* linux_part = object_at(config, "linux");
  auto const* namespaces = linux_part != nullptr ? array_at(*linux_part, "namespaces") : nullptr;
  if (namespaces == nullptr) return false;
  for (auto const& each : *namespaces)
    if (auto const* object = each.if_object(); object != nullptr && text_at(*object, "type") == "network") return true;
  return false;
}

bool has_net_admin(json::object const& config) {
  auto const* process = object_at(config, "process");
  auto const* sets = process != nullptr ? object_at(*process, "capabilities") : nullptr;
  if (sets == nullptr) return false;  // none at all
  for (auto const& [name, set] : *sets) {
    auto const* list = set.if_array();
    if (list == nullptr) continue;
    for (auto const& each : *list)
      if (each == json::value("CAP_NET_ADMIN")) return true;
  }
  return false;
}

}  // namespace

Result<OciState> parse_oci_state(std::string_view text) {
  auto const object = parse_object(text, "the container's state");
  if (!object) return object.error();
  OciState state{text_at(*object, "id"), text_at(*object, "status"), 0, text_at(*object, "bundle"), {}, {}, {}, {}};
  if (auto const* pid = object->if_contains("pid"); pid != nullptr && pid->is_int64()) {
    auto const number = pid->get_int64();
    if (number < 0 || number > std::numeric_limits<pid_t>::max()) return Error{Code::invalid, 0, "the container's state has a wrong pid"};
    state.pid = static_cast<pid_t>(number);
  }
  if (auto const* annotations = object_at(*object, "annotations")) {
    state.policies = split(text_at(*annotations, kPolicyAnnotation));
    state.allow = split(text_at(*annotations, kAllowAnnotation));
    state.placeholders = split(text_at(*annotations, kPlaceholderAnnotation));
    state.ca_out = text_at(*annotations, kCaOutAnnotation);
    if (annotations->contains(kPolicyAnnotation) && state.policies.empty())
      return Error{Code::invalid, 0, std::string("the annotation ") + kPolicyAnnotation + " names no policy"};
  }
  return state;
}

Result<void> check_oci_config(std::string_view text) {
  auto const config = parse_object(text, "config.json");
  if (!config) return config.error();
  if (!has_network_of_its_own(*config))
    return Error{Code::denied, 0, "the container uses this machine's own network: start it with --network none"};
  if (has_net_admin(*config))
    return Error{Code::denied, 0, "the container has the capability NET_ADMIN and could undo its gateway: start it without "
                                  "(--cap-drop NET_ADMIN, not --privileged)"};
  return {};
}

}  // namespace sallyport::cli
