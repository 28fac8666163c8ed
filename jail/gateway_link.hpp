#pragma once
// The supervisor's end of the channels to the gateway, one for each of its workers: writes down what the gateway decided, with the process that asked, says when it
// is written, and tells who asks where a rule depends on it. One thread. Treats every message as hostile: the gateway parses bytes from the network.

#include "audit/channel.hpp"
#include "audit/sink.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::jail {

/// Who is behind a connection; nothing when that cannot be told.
using IdentifyProcess = std::function<std::optional<audit::Process>(audit::Flow const&)>;

class GatewayLink {
 public:
  /// To a gateway of one worker.
  GatewayLink(UniqueFd channel, audit::Sink& sink);
  /// Of one or more: a channel to each.
  GatewayLink(std::vector<UniqueFd> channels, audit::Sink& sink);

  /// Readable when there are messages. REQUIRES: there is one worker.
  int descriptor() const;
  /// Of all workers.
  std::vector<int> descriptors() const;
  /// Waits for every worker's Ready: it is confined and has the listening sockets. Its Fatal is the error.
  Result<void> await_ready(std::chrono::milliseconds deadline);

  enum class State { open, closed };  // closed: some worker's channel is
  /// Takes all messages that are there, writes them as one group, and answers. An error means that the audit log cannot be written
  /// or that the gateway is not to be trusted any more.
  Result<State> handle_messages(IdentifyProcess const& identify);
  /// Asks every worker for a sign of life, and says whether all have given the last one.
  bool ask_for_life();
  /// Asks the gateway to end.
  void stop();
  /// Asks it to accept no more connections, and to end when the last one has.
  void drain();

  /// What to write down when all workers have answered a policy, with the connections that it ended at all of them; called at the place in the log from which on the new policy decides.
  using Describe = std::function<audit::PolicyReload(audit::channel::PolicyAnswer const&)>;
  /// Hands it the policy of a tenant, or, without a name, of the session: `bundle` is a memory file that nobody changes any more. REQUIRES: no answer is pending.
  Result<void> send_policy(std::string tenant, UniqueFd const& bundle, Describe describe);
  /// Hands it the new value of a credential, in a memory file.
  Result<void> send_credential(std::string name, UniqueFd const& value);
  bool policy_pending() const { return describe_ != nullptr; }

 private:
  struct Channel {
    UniqueFd socket;
    std::optional<audit::channel::PolicyAnswer> answer = std::nullopt;  // to the policy that describe_ is for
    bool owes_life = false;                                             // was asked for a sign of it
  };
  /// What one group of messages asks for.
  struct Group {
    std::uint64_t last_ticket = 0;
    State state = State::open;
  };
  /// One packet, valid until the next call; nothing when there is none now; an empty one when the channel is closed.
  Result<std::optional<std::string_view>> receive(Channel const& from);
  Result<void> await_ready(Channel const& worker, std::chrono::milliseconds deadline);
  Result<Group> take_group(Channel& from, IdentifyProcess const& identify);
  Result<void> take_packet(Channel& from, std::string_view packet, IdentifyProcess const& identify, Group& group);
  Result<void> take(Channel& from, audit::channel::ToSupervisor message, IdentifyProcess const& identify, Group& group);
  Result<void> take_answer(Channel& from, audit::channel::PolicyAnswer answer);
  static void send(Channel const& to, audit::channel::ToGateway const& message);
  void send_all(audit::channel::ToGateway const& message) const;
  Result<void> send_with(audit::channel::ToGateway const& message, UniqueFd const& file);

  std::vector<Channel> channels_;
  audit::Sink& sink_;
  Describe describe_;  // set while an answer to a policy is awaited
  std::unique_ptr<char[]> packet_;  // room for the longest packet; not touched before it is needed
};

}  // namespace sallyport::jail
