#include "cli/dlp_jsonl.hpp"

#include "dlp/base_n.hpp"
#include "dlp/verdict.hpp"

#include <boost/json.hpp>

namespace sallyport::cli {
namespace {

namespace json = boost::json;

struct Message {
  std::string bytes;
  dlp::Destination destination;
  std::optional<dlp::Coding> content_coding;
};

Result<std::string> text_of(json::object const& line, std::string_view key) {
  auto const* value = line.if_contains(key);
  if (value == nullptr) return std::string();
  if (!value->is_string()) return Error{Code::invalid, 0, "\"" + std::string(key) + "\" is no string"};
  return std::string(value->get_string());
}

Result<std::string> bytes_of(json::object const& line) {
  if (line.contains("text") == line.contains("base64")) {
    return Error{Code::invalid, 0, "a message has either \"text\" or \"base64\""};
  }
  if (line.contains("text")) return text_of(line, "text");
  auto digits = text_of(line, "base64");
  if (!digits) return digits.error();
  auto bytes = dlp::base64_bytes(*digits);
  if (!bytes) return Error{Code::invalid, 0, "\"base64\" does not decode"};
  return *bytes;
}

Result<Message> message_of(json::object const& line) {
  auto bytes = bytes_of(line);
  if (!bytes) return bytes.error();
  Message message{.bytes = std::move(*bytes), .destination = {}, .content_coding = {}};
  auto channel = text_of(line, "channel"), host = text_of(line, "host"), coding = text_of(line, "content_encoding");
  for (auto const* field : {&channel, &host, &coding}) {
    if (!*field) return field->error();
  }
  auto place = channel->empty() ? dlp::Place::body : dlp::place_of(*channel);
  if (!place) return Error{Code::invalid, 0, "\"channel\" is url, header, body, or dns"};
  message.destination = {*place, *host};
  message.content_coding = dlp::content_coding_of(*coding);
  return message;
}

json::object verdict_on(dlp::Scanner::Setup const& setup, Message const& message) {
  auto findings = dlp::scan_at(setup, message.bytes, message.destination.place, message.content_coding);
  auto judged = dlp::judge_all(findings, message.destination);
  json::object out{{"verdict", dlp::to_string(judged.action)}, {"detector", nullptr}, {"offset", 0}, {"length", 0}};
  if (!judged.finding) return out;
  out["detector"] = judged.finding->detector;
  out["offset"] = judged.finding->offset;
  out["length"] = judged.finding->length;
  return out;
}

json::object answer(dlp::Scanner::Setup const& setup, std::string_view line) {
  boost::system::error_code error;
  auto value = json::parse(line, error);
  if (error || !value.is_object()) return {{"id", nullptr}, {"error", "not a JSON object"}};
  auto const& object = value.get_object();
  json::object out;
  out["id"] = object.contains("id") ? object.at("id") : json::value(nullptr);
  auto message = message_of(object);
  if (!message) {
    out["error"] = message.error().what;
    return out;
  }
  for (auto& field : verdict_on(setup, *message)) out.insert(field);
  return out;
}

}  // namespace

int scan_jsonl(Console const& console, dlp::Scanner::Setup const& setup, std::istream& input) {
  int status = 0;
  for (std::string line; std::getline(input, line);) {
    if (line.empty()) continue;
    auto out = answer(setup, line);
    if (out.contains("error"))
      status = 2;
    else if (status == 0 && out["verdict"] != "allow")
      status = 1;
    std::fprintf(console.out, "%s\n", json::serialize(out).c_str());
  }
  std::fflush(console.out);
  return status;
}

}  // namespace sallyport::cli
