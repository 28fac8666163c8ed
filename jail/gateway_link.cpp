#include "jail/gateway_link.hpp"

#include "base/check.hpp"
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

/// What several workers answered to one policy; an error when some took it and others did not.
Result<audit::channel::PolicyAnswer> answer_of(audit::channel::PolicyAnswer all, audit::channel::PolicyAnswer const& one) {
  if (all.digest != one.digest) return Error{Code::invalid, 0, "the gateway's threads do not agree about a policy"};
  all.closed += one.closed;
  if (all.error.empty()) all.error = one.error;
  return all;
}

std::vector<UniqueFd> only(UniqueFd channel) {
  std::vector<UniqueFd> channels;
  channels.push_back(std::move(channel));
  return channels;
}

}  // namespace

GatewayLink::GatewayLink(UniqueFd channel, audit::Sink& sink) : GatewayLink(only(std::move(channel)), sink) {}

GatewayLink::GatewayLink(std::vector<UniqueFd> channels, audit::Sink& sink)
    : sink_(sink), packet_(std::make_unique_for_overwrite<char[]>(limits::kMaxChannelMessageBytes)) {
  for (auto& channel : channels) channels_.emplace_back(Channel{std::move(channel)});
}

int GatewayLink::descriptor() const {
  check(channels_.size() == 1, "the gateway has one worker");
  return channels_.front().socket.get();
}

std::vector<int> GatewayLink::descriptors() const {
  std::vector<int> all;
  for (auto const& channel : channels_) all.push_back(channel.socket.get());
  return all;
}

Result<std::optional<std::string_view>> GatewayLink::receive(Channel const& from) {
  ssize_t const got = ::recv(from.socket.get(), packet_.get(), limits::kMaxChannelMessageBytes, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::optional<std::string_view>{};
  if (got < 0 && errno != ECONNRESET) return Error::os(errno, "receiving from the gateway");
  return std::optional(std::string_view(packet_.get(), got > 0 ? static_cast<std::size_t>(got) : 0));
}

Result<void> GatewayLink::await_ready(std::chrono::milliseconds deadline) {
  for (auto const& worker : channels_) {
    if (auto ready = await_ready(worker, deadline); !ready) return ready;
  }
  return {};
}

Result<void> GatewayLink::await_ready(Channel const& worker, std::chrono::milliseconds deadline) {
  pollfd waiting{worker.socket.get(), POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(deadline.count())) <= 0) return Error{Code::limit, 0, "the gateway did not start in time"};
  auto const bytes = receive(worker);
  if (!bytes) return bytes.error();
  if (!*bytes || (*bytes)->empty()) return Error{Code::closed, 0, "the gateway ended while it started"};
  auto message = audit::channel::decode_to_supervisor(**bytes);
  if (!message) return message.error();
  if (auto* fatal = std::get_if<audit::channel::Fatal>(&*message)) return Error{Code::unsupported, 0, "gateway: " + fatal->what};
  if (!std::holds_alternative<audit::channel::Ready>(*message)) return Error{Code::invalid, 0, "the gateway spoke out of turn"};
  return {};
}

Result<void> GatewayLink::take(Channel& from, audit::channel::ToSupervisor message, IdentifyProcess const& identify, Group& group) {
  if (auto* fatal = std::get_if<audit::channel::Fatal>(&message)) return Error{Code::closed, 0, "gateway: " + fatal->what};
  if (auto* answer = std::get_if<audit::channel::PolicyAnswer>(&message)) return take_answer(from, std::move(*answer));
  if (std::holds_alternative<audit::channel::Alive>(message) && std::exchange(from.owes_life, false)) return {};
  if (auto const* question = std::get_if<audit::channel::WhoAsks>(&message)) {
    send(from, asker_of(question->ticket, identify(question->flow)));
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

Result<void> GatewayLink::take_answer(Channel& from, audit::channel::PolicyAnswer answer) {
  if (!describe_ || from.answer) return Error{Code::invalid, 0, "the gateway answered a policy it was not sent"};
  from.answer = std::move(answer);
  if (std::ranges::any_of(channels_, [](Channel const& each) { return !each.answer; })) return {};
  auto all = *channels_.front().answer;
  for (std::size_t i = 1; i < channels_.size(); ++i) {
    auto together = answer_of(std::move(all), *channels_[i].answer);
    if (!together) return together.error();
    all = *std::move(together);
  }
  auto const describe = std::exchange(describe_, nullptr);
  auto const written = sink_.append(describe(all));
  if (!written) return written.error();
  return {};
}

Result<void> GatewayLink::take_packet(Channel& from, std::string_view packet, IdentifyProcess const& identify, Group& group) {
  if (packet.empty()) group.state = State::closed;
  while (!packet.empty()) {
    auto const end = std::min(packet.find('\n'), packet.size());
    auto message = audit::channel::decode_to_supervisor(packet.substr(0, end));
    if (!message) return message.error();
    if (auto taken = take(from, *std::move(message), identify, group); !taken) return taken;
    packet.remove_prefix(std::min(end + 1, packet.size()));
  }
  return {};
}

Result<GatewayLink::Group> GatewayLink::take_group(Channel& from, IdentifyProcess const& identify) {
  Group group;
  for (int i = 0; i < kGroupPackets && group.state == State::open; ++i) {
    auto const packet = receive(from);
    if (!packet) return packet.error();
    if (!*packet) break;
    if (auto taken = take_packet(from, **packet, identify, group); !taken) return taken.error();
  }
  return group;
}

Result<GatewayLink::State> GatewayLink::handle_messages(IdentifyProcess const& identify) {
  auto state = State::open;
  std::vector<std::uint64_t> tickets;
  for (auto& channel : channels_) {
    auto const group = take_group(channel, identify);
    if (!group) return group.error();
    if (group->state == State::closed) state = State::closed;
    tickets.push_back(group->last_ticket);
  }
  if (auto committed = sink_.commit(); !committed) return committed.error();
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (tickets[i] != 0) send(channels_[i], audit::channel::Written{tickets[i]});
  }
  return state;
}

bool GatewayLink::ask_for_life() {
  auto const owes = [](Channel const& each) { return each.owes_life; };
  bool const all_live = std::ranges::none_of(channels_, owes);
  for (auto& channel : channels_) {
    if (!std::exchange(channel.owes_life, true)) send(channel, audit::channel::AreYouAlive{});  // one that hangs does not read them
  }
  return all_live;
}

void GatewayLink::stop() { send_all(audit::channel::Stop{}); }

void GatewayLink::drain() { send_all(audit::channel::Drain{}); }

Result<void> GatewayLink::send_policy(std::string tenant, UniqueFd const& bundle, Describe describe) {
  for (auto& channel : channels_) channel.answer.reset();
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
  for (auto const& channel : channels_) {
    if (::sendmsg(channel.socket.get(), &header, MSG_NOSIGNAL) < 0) return Error::os(errno, "sending a file to the gateway");
  }
  return {};
}

/// A gateway that is gone is seen as a closed channel.
void GatewayLink::send(Channel const& to, audit::channel::ToGateway const& message) {
  std::string const bytes = audit::channel::encode(message);
  ::send(to.socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

void GatewayLink::send_all(audit::channel::ToGateway const& message) const {
  for (auto const& channel : channels_) send(channel, message);
}

}  // namespace sallyport::jail
