#include "cli/proxy_listeners.hpp"

#include "cli/listen_address.hpp"

#include <unistd.h>

#include <optional>
#include <utility>

namespace sallyport::cli {
namespace {

constexpr char kListen[] = "--listen";
constexpr char kListenTls[] = "--listen-tls";
constexpr char kMetrics[] = "--metrics";

/// A proxy that whoever is on the network can use is what nobody wants by accident.
Result<void> check_exposure(char const* option, std::string const& text, ListenPlace const& place,
                            ProxyOptions const& options) {
  if (!is_exposed(place) || !options.allow_clients.empty()) return {};
  return Error{Code::invalid, 0,
               std::string(option) + " " + text +
                   ": other machines can connect to this address; say which may use the proxy with --allow-clients, for "
                   "example --allow-clients 172.17.0.0/16, or 0.0.0.0/0 for everybody"};
}

/// Opens what one option named, and remembers the files.
class Opener {
 public:
  Opener(ProxyOptions const& options, SocketFiles& files) : options_(options), files_(files) {}

  Result<void> open(char const* option, std::vector<std::string> const& texts, std::vector<UniqueFd>& to) {
    for (auto const& text : texts) {
      auto const place = parse_listen_place(option, text);
      if (!place) return place.error();
      if (auto checked = check_exposure(option, text, *place, options_); !checked) return checked;
      auto fd = open_listener(*place);
      if (!fd) return fd.error();
      if (auto const* at = std::get_if<UnixPlace>(&*place)) files_.add(at->path);
      to.push_back(*std::move(fd));
    }
    return {};
  }

 private:
  ProxyOptions const& options_;
  SocketFiles& files_;
};

Result<void> open_metrics(ProxyOptions const& options, std::optional<UniqueFd>& to) {
  if (options.metrics.empty()) return {};
  auto const place = parse_listen_place(kMetrics, options.metrics);
  if (!place) return place.error();
  auto fd = open_listener(*place);
  if (!fd) return fd.error();
  to = *std::move(fd);
  return {};
}

void sort_in(std::vector<InheritedSocket> inherited, proxy::ListenerFds& to) {
  for (auto& socket : inherited) {
    if (socket.name == "metrics") {
      to.metrics = std::move(socket.fd);
    } else if (socket.name == "tls") {
      to.sni.push_back(std::move(socket.fd));
    } else {
      to.explicit_proxy.push_back(std::move(socket.fd));
    }
  }
}

}  // namespace

Result<proxy::ListenerFds> open_listeners(ProxyOptions const& options, std::vector<InheritedSocket> inherited,
                                          SocketFiles& files) {
  proxy::ListenerFds fds;
  sort_in(std::move(inherited), fds);
  Opener opener(options, files);
  if (auto opened = opener.open(kListen, options.listen, fds.explicit_proxy); !opened) return opened.error();
  if (auto opened = opener.open(kListenTls, options.listen_tls, fds.sni); !opened) return opened.error();
  if (auto opened = open_metrics(options, fds.metrics); !opened) return opened.error();
  if (fds.explicit_proxy.empty() && fds.sni.empty())
    return Error{Code::invalid, 0,
                 "no listener: name one with --listen or --listen-tls, for example --listen 127.0.0.1:3128"};
  return fds;
}

SocketFiles::~SocketFiles() {
  for (auto const& path : paths_) ::unlink(path.c_str());
}

}  // namespace sallyport::cli
