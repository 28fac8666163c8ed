#include "jail/gateway_link.hpp"

#include "base/limits.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace sallyport::jail {
namespace {

constexpr int kGroupPackets = 64;  // written and acknowledged together

/// Fills in the process behind the event's flow.
void add_process(audit::Event& event, IdentifyProcess const& identify) {
  if (auto* request = std::get_if<audit::EgressRequest>(&event)) request->process = identify(request->flow);
  if (auto* query = std::get_if<audit::DnsQuery>(&event)) query->process = identify(query->flow);
}

/// Whether a program runs the file that is its first argument: python3.11, node, sh. Any other may be given a path without that.
bool is_interpreter(std::string_view executable) {
  constexpr std::array<std::string_view, 12> kNames = {"python", "node", "ruby", "perl", "php", "lua", "bash", "dash", "sh", "zsh", "deno", "bun"};
  auto const name = executable.substr(executable.rfind('/') + 1);
  return std::any_of(kNames.begin(), kNames.end(), [name](std::string_view each) {
    return name.starts_with(each) && name.find_first_not_of("0123456789.", each.size()) == std::string_view::npos;
  });
}

/// The script that an interpreter runs: how the kernel starts one, and people do.
std::string script_of(audit::Process const& process) {
  bool const names_a_file = process.argv.size() > 1 && process.argv[1].starts_with('/');
  return names_a_file && is_interpreter(process.exe) ? process.argv[1] : std::string();
}

/// Paths that the gateway has no room for are not told: then nobody is known.
audit::channel::Asker asker_of(std::uint64_t ticket, std::optional<audit::Process> const& process) {
  audit::channel::Asker asker{ticket, {}, {}};
  if (!process || process->exe.size() > limits::kMaxAskerPathBytes) return asker;
  asker.executable = process->exe;
  asker.script = script_of(*process);
  if (asker.script.size() > limits::kMaxAskerPathBytes) asker.script.clear();
  return asker;
}

}  // namespace

GatewayLink::GatewayLink(UniqueFd channel, audit::Sink& sink)
    : channel_(std::move(channel)), sink_(sink), packet_(std::make_unique_for_overwrite<char[]>(limits::kMaxChannelMessageBytes)) {}

Result<std::optional<std::string_view>> GatewayLink::receive() {
  ssize_t const got = ::recv(channel_.get(), packet_.get(), limits::kMaxChannelMessageBytes, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::optional<std::string_view>{};
  if (got < 0 && errno != ECONNRESET) return Error::os(errno, "receiving from the gateway");
  return std::optional(std::string_view(packet_.get(), got > 0 ? static_cast<std::size_t>(got) : 0));
}

Result<void> GatewayLink::await_ready(std::chrono::milliseconds deadline) {
  pollfd waiting{channel_.get(), POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(deadline.count())) <= 0) return Error{Code::limit, 0, "the gateway did not start in time"};
  auto const bytes = receive();
  if (!bytes) return bytes.error();
  if (!*bytes || (*bytes)->empty()) return Error{Code::closed, 0, "the gateway ended while it started"};
  auto message = audit::channel::decode_to_supervisor(**bytes);
  if (!message) return message.error();
  if (auto* fatal = std::get_if<audit::channel::Fatal>(&*message)) return Error{Code::unsupported, 0, "gateway: " + fatal->what};
  if (!std::holds_alternative<audit::channel::Ready>(*message)) return Error{Code::invalid, 0, "the gateway spoke out of turn"};
  return {};
}

Result<void> GatewayLink::take(audit::channel::ToSupervisor message, IdentifyProcess const& identify, Group& group) {
  if (auto* fatal = std::get_if<audit::channel::Fatal>(&message)) return Error{Code::closed, 0, "gateway: " + fatal->what};
  if (auto const* answer = std::get_if<audit::channel::PolicyAnswer>(&message)) return take_answer(*answer);
  if (auto const* question = std::get_if<audit::channel::WhoAsks>(&message)) {
    send(asker_of(question->ticket, identify(question->flow)));
    return {};
  }
  auto* record = std::get_if<audit::channel::Record>(&message);
  if (record == nullptr) return Error{Code::invalid, 0, "the gateway spoke out of turn"};
  add_process(record->event, identify);
  auto const written = sink_.append(record->event);
  if (!written) return written.error();
  group.last_ticket = std::max(group.last_ticket, record->ticket);
  return {};
}

Result<void> GatewayLink::take_answer(audit::channel::PolicyAnswer const& answer) {
  auto const describe = std::exchange(describe_, nullptr);
  if (!describe) return Error{Code::invalid, 0, "the gateway answered a policy it was not sent"};
  auto const written = sink_.append(describe(answer));
  if (!written) return written.error();
  return {};
}

Result<void> GatewayLink::take_packet(std::string_view packet, IdentifyProcess const& identify, Group& group) {
  if (packet.empty()) group.state = State::closed;
  while (!packet.empty()) {
    auto const end = std::min(packet.find('\n'), packet.size());
    auto message = audit::channel::decode_to_supervisor(packet.substr(0, end));
    if (!message) return message.error();
    if (auto taken = take(*std::move(message), identify, group); !taken) return taken;
    packet.remove_prefix(std::min(end + 1, packet.size()));
  }
  return {};
}

Result<GatewayLink::State> GatewayLink::handle_messages(IdentifyProcess const& identify) {
  Group group;
  for (int i = 0; i < kGroupPackets && group.state == State::open; ++i) {
    auto const packet = receive();
    if (!packet) return packet.error();
    if (!*packet) break;
    if (auto taken = take_packet(**packet, identify, group); !taken) return taken.error();
  }
  if (auto committed = sink_.commit(); !committed) return committed.error();
  if (group.last_ticket != 0) send(audit::channel::Written{group.last_ticket});
  return group.state;
}

void GatewayLink::stop() { send(audit::channel::Stop{}); }

void GatewayLink::drain() { send(audit::channel::Drain{}); }

Result<void> GatewayLink::send_policy(std::string tenant, UniqueFd const& bundle, Describe describe) {
  if (auto sent = send_with(audit::channel::NewPolicy{std::move(tenant)}, bundle); !sent) return sent;
  describe_ = std::move(describe);
  return {};
}

Result<void> GatewayLink::send_credential(std::string name, UniqueFd const& value) {
  return send_with(audit::channel::NewCredential{std::move(name)}, value);
}

Result<void> GatewayLink::send_with(audit::channel::ToGateway const& order, UniqueFd const& file) {
  std::string bytes = audit::channel::encode(order);
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  auto* message = CMSG_FIRSTHDR(&header);
  message->cmsg_level = SOL_SOCKET;
  message->cmsg_type = SCM_RIGHTS;
  message->cmsg_len = CMSG_LEN(sizeof(int));
  int const fd = file.get();
  std::memcpy(CMSG_DATA(message), &fd, sizeof fd);
  if (::sendmsg(channel_.get(), &header, MSG_NOSIGNAL) < 0) return Error::os(errno, "sending a file to the gateway");
  return {};
}

/// A gateway that is gone is seen as a closed channel.
void GatewayLink::send(audit::channel::ToGateway const& message) {
  std::string const bytes = audit::channel::encode(message);
  ::send(channel_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

}  // namespace sallyport::jail
