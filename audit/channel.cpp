#include "audit/channel.hpp"

#include "audit/event_reader.hpp"
#include "audit/event_writer.hpp"
#include "base/limits.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include <array>
#include <optional>

namespace sallyport::audit::channel {

namespace {

namespace json = boost::json;

// {"kind":"ready"}
// {"kind":"record","ticket":7,"event":{"type":"limit.hit",…}}
// {"kind":"fatal","what":"…"}
// {"kind":"written","ticket":7}
// {"kind":"policy_answer","digest":"sha256:…","closed":2,"error":""}
// {"kind":"stop"}
// {"kind":"drain"}
// {"kind":"new_policy","tenant":""}
// {"kind":"new_credential","name":"API_KEY"}
// {"kind":"who_asks","ticket":3,"protocol":"tcp","local_address":"…","local_port":1,"remote_address":"…","remote_port":2}
// {"kind":"asker","ticket":3,"executable":"…","script":""}
// {"kind":"are_you_alive"}  {"kind":"alive"}
constexpr std::string_view kReady = "ready";
constexpr std::string_view kRecord = "record";
constexpr std::string_view kFatal = "fatal";
constexpr std::string_view kWritten = "written";
constexpr std::string_view kStop = "stop";
constexpr std::string_view kDrain = "drain";
constexpr std::string_view kNewPolicy = "new_policy";
constexpr std::string_view kNewCredential = "new_credential";
constexpr std::string_view kPolicyAnswer = "policy_answer";
constexpr std::string_view kWhoAsks = "who_asks";
constexpr std::string_view kAsker = "asker";
constexpr std::string_view kAreYouAlive = "are_you_alive";
constexpr std::string_view kAlive = "alive";

constexpr std::size_t kMaxDepth = 4;             // message, event, process, argv
constexpr std::size_t kParseBufferBytes = 8192;  // holds a usual message; a larger one allocates
constexpr std::size_t kRoomForNames = 4096;      // member names, numbers and punctuation of one message
constexpr std::size_t kUsualMessageBytes = 1024;

/// A message never exceeds kMaxChannelMessageBytes, whatever the texts are.
constexpr TextLimits kTextLimits{limits::kMaxAuditStringBytes, limits::kMaxChannelMessageBytes - kRoomForNames};

/// Builds one message: {"kind":KIND, then what `write_rest` adds}.
template <class WriteRest>
std::string message(std::string_view kind, WriteRest write_rest) {
  std::string out;
  out.reserve(kUsualMessageBytes);
  JsonWriter writer(out, kTextLimits);
  writer.open('{');
  writer.key("kind");
  writer.text(kind);
  write_rest(writer);
  writer.close('}');
  return out;
}

std::string to_text(Ready const&) {
  return message(kReady, [](JsonWriter&) {});
}
std::string to_text(Stop const&) {
  return message(kStop, [](JsonWriter&) {});
}
std::string to_text(Drain const&) {
  return message(kDrain, [](JsonWriter&) {});
}
std::string to_text(AreYouAlive const&) {
  return message(kAreYouAlive, [](JsonWriter&) {});
}
std::string to_text(Alive const&) {
  return message(kAlive, [](JsonWriter&) {});
}
std::string to_text(NewPolicy const& policy) {
  return message(kNewPolicy, [&](JsonWriter& writer) {
    writer.key("tenant");
    writer.text(policy.tenant);
  });
}
std::string to_text(NewCredential const& credential) {
  return message(kNewCredential, [&](JsonWriter& writer) {
    writer.key("name");
    writer.text(credential.name);
  });
}
std::string to_text(PolicyAnswer const& answer) {
  return message(kPolicyAnswer, [&](JsonWriter& writer) {
    writer.key("digest");
    writer.text(answer.digest);
    writer.key("closed");
    writer.number(answer.closed);
    writer.key("error");
    writer.text(answer.error);
  });
}
std::string to_text(WhoAsks const& question) {
  return message(kWhoAsks, [&](JsonWriter& writer) {
    writer.key("ticket");
    writer.number(question.ticket);
    writer.key("protocol");
    writer.text(question.flow.protocol);
    writer.key("local_address");
    writer.text(question.flow.local_address);
    writer.key("local_port");
    writer.number(std::uint64_t{question.flow.local_port});
    writer.key("remote_address");
    writer.text(question.flow.remote_address);
    writer.key("remote_port");
    writer.number(std::uint64_t{question.flow.remote_port});
  });
}
std::string to_text(Asker const& asker) {
  return message(kAsker, [&](JsonWriter& writer) {
    writer.key("ticket");
    writer.number(asker.ticket);
    writer.key("executable");
    writer.text(asker.executable);
    writer.key("script");
    writer.text(asker.script);
  });
}
std::string to_text(Written const& written) {
  return message(kWritten, [&](JsonWriter& writer) {
    writer.key("ticket");
    writer.number(written.ticket);
  });
}
std::string to_text(Fatal const& fatal) {
  return message(kFatal, [&](JsonWriter& writer) {
    writer.key("what");
    writer.text(fatal.what);
  });
}
std::string to_text(Record const& record) {
  return message(kRecord, [&](JsonWriter& writer) {
    writer.key("ticket");
    writer.number(record.ticket);
    writer.key("event");
    writer.open('{');
    write_members(writer, record.event);
    writer.close('}');
  });
}

Error invalid(std::string what) { return Error{Code::invalid, 0, "channel message: " + std::move(what)}; }

Result<json::value> parse(std::string_view bytes, json::storage_ptr storage) {
  if (bytes.size() > limits::kMaxChannelMessageBytes) return invalid("too long");
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::error_code ec;
  auto value = json::parse(bytes, ec, std::move(storage), options);
  if (ec) return invalid(ec.message());
  if (!value.is_object()) return invalid("not an object");
  return value;
}

bool is_kind(json::object const& object, std::string_view kind, std::size_t members) {
  auto const* value = object.if_contains("kind");
  return value != nullptr && value->is_string() && std::string_view(value->get_string()) == kind &&
         object.size() == members;
}

std::optional<std::uint64_t> number_in(json::object const& object, std::string_view name) {
  auto const* value = object.if_contains(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_uint64()) return value->get_uint64();
  if (value->is_int64() && value->get_int64() >= 0) return static_cast<std::uint64_t>(value->get_int64());
  return std::nullopt;
}

std::optional<std::string> text_in(json::object const& object, std::string_view name) {
  auto const* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

Result<ToSupervisor> read_record(json::object const& object) {
  auto const ticket = number_in(object, "ticket");
  if (!ticket) return invalid("ticket: missing or not a number");
  auto const* members = object.if_contains("event");
  if (members == nullptr || !members->is_object()) return invalid("event: missing or not an object");
  auto event = read_gateway_event(members->get_object());
  if (!event) return invalid("event: " + event.error().what);
  return {boost::system::in_place_value, Record{*ticket, std::move(*event)}};
}

Result<ToSupervisor> read_fatal(json::object const& object) {
  auto what = text_in(object, "what");
  if (!what) return invalid("what: missing or not a string");
  return {boost::system::in_place_value, Fatal{*std::move(what)}};
}

Result<ToSupervisor> read_policy_answer(json::object const& object) {
  auto digest = text_in(object, "digest");
  auto const closed = number_in(object, "closed");
  auto error = text_in(object, "error");
  if (!digest || !closed || !error) return invalid("policy_answer: a member is missing or of the wrong type");
  return {boost::system::in_place_value, PolicyAnswer{*std::move(digest), *closed, *std::move(error)}};
}

std::optional<std::uint16_t> port_in(json::object const& object, std::string_view name) {
  auto const number = number_in(object, name);
  if (!number || *number > 0xffff) return std::nullopt;
  return static_cast<std::uint16_t>(*number);
}

Result<ToSupervisor> read_who_asks(json::object const& object) {
  auto const ticket = number_in(object, "ticket");
  auto protocol = text_in(object, "protocol");
  auto local = text_in(object, "local_address"), remote = text_in(object, "remote_address");
  auto const local_port = port_in(object, "local_port"), remote_port = port_in(object, "remote_port");
  if (!ticket || !protocol || !local || !remote || !local_port || !remote_port) return invalid("who_asks: a member is missing or of the wrong type");
  Flow flow{*std::move(protocol), *std::move(local), *local_port, *std::move(remote), *remote_port};
  return {boost::system::in_place_value, WhoAsks{*ticket, std::move(flow)}};
}

Result<ToGateway> read_new_policy(json::object const& object) {
  auto tenant = text_in(object, "tenant");
  if (!tenant) return invalid("tenant: missing or not a string");
  return {boost::system::in_place_value, NewPolicy{*std::move(tenant)}};
}

Result<ToGateway> read_new_credential(json::object const& object) {
  auto name = text_in(object, "name");
  if (!name) return invalid("name: missing or not a string");
  return {boost::system::in_place_value, NewCredential{*std::move(name)}};
}

Result<ToGateway> read_asker(json::object const& object) {
  auto const ticket = number_in(object, "ticket");
  auto executable = text_in(object, "executable"), script = text_in(object, "script");
  if (!ticket || !executable || !script) return invalid("asker: a member is missing or of the wrong type");
  return {boost::system::in_place_value, Asker{*ticket, *std::move(executable), *std::move(script)}};
}

}  // namespace

std::string encode(ToSupervisor const& message) {
  return std::visit([](auto const& each) { return to_text(each); }, message);
}

std::string encode(ToGateway const& message) {
  return std::visit([](auto const& each) { return to_text(each); }, message);
}

Result<ToSupervisor> decode_to_supervisor(std::string_view bytes) {
  std::array<unsigned char, kParseBufferBytes> buffer;
  json::monotonic_resource storage(buffer.data(), buffer.size());
  auto const value = parse(bytes, &storage);
  if (!value) return value.error();
  auto const& object = value->get_object();
  if (is_kind(object, kRecord, 3)) return read_record(object);
  if (is_kind(object, kAlive, 1)) return {boost::system::in_place_value, Alive{}};
  if (is_kind(object, kReady, 1)) return {boost::system::in_place_value, Ready{}};
  if (is_kind(object, kFatal, 2)) return read_fatal(object);
  if (is_kind(object, kPolicyAnswer, 4)) return read_policy_answer(object);
  if (is_kind(object, kWhoAsks, 7)) return read_who_asks(object);
  return invalid("not one for the supervisor");
}

Result<ToGateway> decode_to_gateway(std::string_view bytes) {
  std::array<unsigned char, kParseBufferBytes> buffer;
  json::monotonic_resource storage(buffer.data(), buffer.size());
  auto const value = parse(bytes, &storage);
  if (!value) return value.error();
  auto const& object = value->get_object();
  if (is_kind(object, kStop, 1)) return {boost::system::in_place_value, Stop{}};
  if (is_kind(object, kDrain, 1)) return {boost::system::in_place_value, Drain{}};
  if (is_kind(object, kAreYouAlive, 1)) return {boost::system::in_place_value, AreYouAlive{}};
  if (is_kind(object, kNewPolicy, 2)) return read_new_policy(object);
  if (is_kind(object, kAsker, 4)) return read_asker(object);
  if (is_kind(object, kNewCredential, 2)) return read_new_credential(object);
  if (!is_kind(object, kWritten, 2)) return invalid("not one for the gateway");
  auto const ticket = number_in(object, "ticket");
  if (!ticket) return invalid("ticket: missing or not a number");
  return {boost::system::in_place_value, Written{*ticket}};
}

}  // namespace sallyport::audit::channel
