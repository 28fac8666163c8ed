#include "cli/proxy_listeners.hpp"

#include "cli/listen_address.hpp"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sallyport::cli {
namespace {

constexpr char kListen[] = "--listen";
constexpr char kListenTls[] = "--listen-tls";
constexpr char kMetrics[] = "--metrics";

/// Whether it is said who may come in from elsewhere. A proxy that whoever is on the network can use is what nobody wants by accident.
enum class Clients { unsaid, named };

Clients clients_of(std::vector<policies::Cidr> const& blocks) { return blocks.empty() ? Clients::unsaid : Clients::named; }

Result<void> check_exposure(std::string const& option, std::string const& text, ListenPlace const& place, Clients clients) {
  if (!is_exposed(place) || clients == Clients::named) return {};
  return Error{Code::invalid, 0,
               option + " " + text +
                   ": other machines can connect to this address; say which may use the proxy with --allow-clients, for "
                   "example --allow-clients 172.17.0.0/16, or 0.0.0.0/0 for everybody"};
}

/// Opens what one option named, and remembers the files.
class Opener {
 public:
  explicit Opener(SocketFiles& files) : files_(files) {}

  Result<void> open(std::string const& option, std::vector<std::string> const& texts, Clients clients, std::vector<UniqueFd>& to) {
    for (auto const& text : texts) {
      auto const place = parse_listen_place(option.c_str(), text);
      if (!place) return place.error();
      if (auto checked = check_exposure(option, text, *place, clients); !checked) return checked;
      auto fd = open_listener(*place);
      if (!fd) return fd.error();
      if (auto const* at = std::get_if<UnixPlace>(&*place)) files_.add(at->path);
      to.push_back(*std::move(fd));
    }
    return {};
  }

 private:
  SocketFiles& files_;
};

/// Those that are one tenant's own.
Result<void> open_own(policies::TenantEntry const& tenant, Clients allowed, Opener& opener, proxy::TenantListeners& to) {
  auto const clients = tenant.clients.empty() ? allowed : Clients::named;
  auto const about = "tenant " + tenant.name + ": ";
  if (auto opened = opener.open(about + "listen", tenant.listen, clients, to.explicit_proxy); !opened) return opened;
  return opener.open(about + "listen_tls", tenant.listen_tls, clients, to.sni);
}

Result<void> open_metrics(ProxyOptions const& options, std::optional<UniqueFd>& to) {
  if (options.metrics.empty()) return {};
  auto const place = parse_listen_place(kMetrics, options.metrics);
  if (!place) return place.error();
  auto fd = open_listener(*place);
  if (!fd) return fd.error();
  to = *std::move(fd);
  return {};
}

void sort_in(InheritedSocket socket, proxy::ListenerFds& to) {
  for (auto& tenant : to.tenants) {
    if (socket.name == tenant.tenant) return tenant.explicit_proxy.push_back(std::move(socket.fd));
    if (socket.name == tenant.tenant + ".tls") return tenant.sni.push_back(std::move(socket.fd));
  }
  if (socket.name == "metrics") {
    to.metrics = std::move(socket.fd);
  } else if (socket.name == "tls") {
    to.sni.push_back(std::move(socket.fd));
  } else {
    to.explicit_proxy.push_back(std::move(socket.fd));
  }
}

bool is_any(proxy::ListenerFds const& fds) {
  auto const has_own = [](proxy::TenantListeners const& each) { return !each.explicit_proxy.empty() || !each.sni.empty(); };
  return !fds.explicit_proxy.empty() || !fds.sni.empty() || std::any_of(fds.tenants.begin(), fds.tenants.end(), has_own);
}

}  // namespace

Result<proxy::ListenerFds> open_listeners(ProxyOptions const& options, std::vector<policies::TenantEntry> const& tenants,
                                          std::vector<InheritedSocket> inherited, SocketFiles& files) {
  proxy::ListenerFds fds;
  Opener opener(files);
  auto const allowed = clients_of(options.allow_clients);
  auto shared = allowed;
  for (auto const& tenant : tenants) {
    auto& own = fds.tenants.emplace_back(proxy::TenantListeners{tenant.name, {}, {}});
    if (auto opened = open_own(tenant, allowed, opener, own); !opened) return opened.error();
    if (!tenant.clients.empty()) shared = Clients::named;
  }
  for (auto& socket : inherited) sort_in(std::move(socket), fds);
  if (auto opened = opener.open(kListen, options.listen, shared, fds.explicit_proxy); !opened) return opened.error();
  if (auto opened = opener.open(kListenTls, options.listen_tls, shared, fds.sni); !opened) return opened.error();
  if (auto opened = open_metrics(options, fds.metrics); !opened) return opened.error();
  if (is_any(fds)) return fds;
  return Error{Code::invalid, 0, "no listener: name one with --listen or --listen-tls, for example --listen 127.0.0.1:3128"};
}

SocketFiles::~SocketFiles() {
  for (auto const& path : paths_) ::unlink(path.c_str());
}

}  // namespace sallyport::cli
