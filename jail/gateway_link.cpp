#include "jail/gateway_link.hpp"

#include "base/limits.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace sallyport::jail {
namespace {

constexpr int kGroupMessages = 256;  // written and acknowledged together

/// Fills in the process behind the event's flow.
void add_process(audit::Event& event, IdentifyProcess const& identify) {
  if (auto* request = std::get_if<audit::EgressRequest>(&event)) request->process = identify(request->flow);
  if (auto* query = std::get_if<audit::DnsQuery>(&event)) query->process = identify(query->flow);
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

Result<void> GatewayLink::take(audit::channel::ToSupervisor message, IdentifyProcess const& identify, Batch& batch) {
  if (auto* fatal = std::get_if<audit::channel::Fatal>(&message)) return Error{Code::closed, 0, "gateway: " + fatal->what};
  if (auto const* answer = std::get_if<audit::channel::PolicyAnswer>(&message)) return take_answer(*answer);
  auto* record = std::get_if<audit::channel::Record>(&message);
  if (record == nullptr) return Error{Code::invalid, 0, "the gateway spoke out of turn"};
  add_process(record->event, identify);
  auto const written = sink_.append(record->event);
  if (!written) return written.error();
  if (record->ticket != 0) batch.tickets.push_back(record->ticket);
  return {};
}

Result<void> GatewayLink::take_answer(audit::channel::PolicyAnswer const& answer) {
  auto const describe = std::exchange(describe_, nullptr);
  if (!describe) return Error{Code::invalid, 0, "the gateway answered a policy it was not sent"};
  auto const written = sink_.append(describe(answer));
  if (!written) return written.error();
  return {};
}

Result<GatewayLink::State> GatewayLink::handle_messages(IdentifyProcess const& identify) {
  Batch batch;
  for (int i = 0; i < kGroupMessages; ++i) {
    auto const bytes = receive();
    if (!bytes) return bytes.error();
    if (!*bytes) break;
    if ((*bytes)->empty()) {
      batch.state = State::closed;
      break;
    }
    auto message = audit::channel::decode_to_supervisor(**bytes);
    if (!message) return message.error();
    if (auto taken = take(*std::move(message), identify, batch); !taken) return taken.error();
  }
  if (auto committed = sink_.commit(); !committed) return committed.error();
  for (auto ticket : batch.tickets) send(audit::channel::Written{ticket});
  return batch.state;
}

void GatewayLink::stop() { send(audit::channel::Stop{}); }

void GatewayLink::drain() { send(audit::channel::Drain{}); }

Result<void> GatewayLink::send_policy(UniqueFd const& bundle, Describe describe) {
  std::string bytes = audit::channel::encode(audit::channel::ToGateway(audit::channel::NewPolicy{}));
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
  int const fd = bundle.get();
  std::memcpy(CMSG_DATA(message), &fd, sizeof fd);
  if (::sendmsg(channel_.get(), &header, MSG_NOSIGNAL) < 0) return Error::os(errno, "sending the policy to the gateway");
  describe_ = std::move(describe);
  return {};
}

/// A gateway that is gone is seen as a closed channel.
void GatewayLink::send(audit::channel::ToGateway const& message) {
  std::string const bytes = audit::channel::encode(message);
  ::send(channel_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

}  // namespace sallyport::jail
