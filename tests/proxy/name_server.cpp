#include "tests/proxy/name_server.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

namespace sallyport::tests {
namespace {

using namespace std::string_literals;

constexpr std::size_t kHeaderBytes = 12;
constexpr char kTypeA = 1, kTypeAaaa = 28;

std::string name_in(std::string const& query) {
  std::string name;
  for (auto at = kHeaderBytes; at < query.size() && query[at] != 0; at += static_cast<unsigned char>(query[at]) + 1U) {
    if (!name.empty()) name += '.';
    name += query.substr(at + 1, static_cast<unsigned char>(query[at]));
  }
  return name;
}

template <class Bytes>
std::string record(char type, Bytes const& address) {
  constexpr char kName = '\xc0';  // with the offset behind it: the name of the question (RFC 1035 section 4.1.4)
  return kName + "\x0c\0"s + type + "\0\1\0\0\0\x3c\0"s + static_cast<char>(address.size()) +
         std::string(address.begin(), address.end());
}

std::string reply(std::string const& query, std::string const& question, char rcode, std::string const& records,
                  char count) {
  return query.substr(0, 2) + "\x81"s + static_cast<char>(0x80 | rcode) + "\0\1\0"s + count + "\0\0\0\0"s + question +
         records;
}

}  // namespace

NameServer::NameServer(std::map<std::string, std::vector<std::string>> names) : names_(std::move(names)) {
  timeval const forever{0, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &forever, sizeof forever);
  thread_ = std::thread([this] { serve(); });
}

NameServer::~NameServer() {
  auto const self = connect_to(port_of(socket_), SocketKind::datagram);
  ::send(self.get(), "", 0, 0);  // ends serve()
  thread_.join();
}

void NameServer::serve() {
  for (;;) {
    std::string query(4096, '\0');
    sockaddr_in sender{};
    socklen_t size = sizeof sender;
    auto* const address = static_cast<sockaddr*>(static_cast<void*>(&sender));
    auto const got = ::recvfrom(socket_.get(), query.data(), query.size(), 0, address, &size);
    if (got <= 0) return;
    query.resize(static_cast<std::size_t>(got));
    ++questions_;
    auto const bytes = answer(query);
    if (!bytes.empty()) ::sendto(socket_.get(), bytes.data(), bytes.size(), 0, address, size);
  }
}

std::string NameServer::answer(std::string const& query) const {
  auto const name = name_in(query);
  if (name == kSilent) return {};
  auto const question = query.substr(kHeaderBytes, name.size() + 2 + 4);  // name, type, class
  auto const listed = names_.find(name);
  if (listed == names_.end()) return reply(query, question, 3, {}, 0);
  std::string records;
  char count = 0;
  for (auto const& text : listed->second) {
    auto const address = policies::IpAddress::parse(text).value();
    if (question[question.size() - 3] != (address.is_v4() ? kTypeA : kTypeAaaa)) continue;
    records += address.is_v4() ? record(kTypeA, address.v4_bytes()) : record(kTypeAaaa, address.bytes());
    ++count;
  }
  return reply(query, question, 0, records, count);
}

}  // namespace sallyport::tests
