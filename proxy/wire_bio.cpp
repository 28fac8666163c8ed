#include "proxy/wire_bio.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sallyport::proxy {
namespace {

struct Wire {
  int fd = -1;
  std::string before;
  std::size_t taken = 0;  // of `before`
  bool ended = false;
};

Wire& wire_of(BIO* bio) { return *static_cast<Wire*>(BIO_get_data(bio)); }

bool may_retry(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

int take_before(Wire& wire, char* to, int size) {
  auto const count = std::min(static_cast<std::size_t>(size), wire.before.size() - wire.taken);
  std::memcpy(to, wire.before.data() + wire.taken, count);
  wire.taken += count;
  if (wire.taken == wire.before.size()) {
    wire.before = {};
    wire.taken = 0;
  }
  return static_cast<int>(count);
}

int read_wire(BIO* bio, char* to, int size) {
  BIO_clear_retry_flags(bio);
  auto& wire = wire_of(bio);
  if (size <= 0) return 0;
  if (!wire.before.empty()) return take_before(wire, to, size);
  auto const got = ::recv(wire.fd, to, static_cast<std::size_t>(size), 0);
  if (got < 0 && may_retry(errno)) BIO_set_retry_read(bio);
  if (got == 0) wire.ended = true;
  return static_cast<int>(got);
}

int write_wire(BIO* bio, char const* from, int size) {
  BIO_clear_retry_flags(bio);
  auto const sent = ::send(wire_of(bio).fd, from, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (sent < 0 && may_retry(errno)) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

long control_wire(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_FLUSH) return 1;
  if (command == BIO_CTRL_EOF) return wire_of(bio).ended ? 1 : 0;
  return 0;
}

int destroy_wire(BIO* bio) {
  delete static_cast<Wire*>(BIO_get_data(bio));
  return 1;
}

using MethodPtr = std::unique_ptr<BIO_METHOD, OpenSslFree<&BIO_meth_free>>;

MethodPtr make_method() {
  MethodPtr method(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "wire"));
  if (!method) return method;
  BIO_meth_set_read(method.get(), read_wire);
  BIO_meth_set_write(method.get(), write_wire);
  BIO_meth_set_ctrl(method.get(), control_wire);
  BIO_meth_set_destroy(method.get(), destroy_wire);
  return method;
}

}  // namespace

BioPtr make_wire_bio(int fd, std::string before) {
  static MethodPtr const method = make_method();
  BioPtr bio(method ? BIO_new(method.get()) : nullptr);
  if (!bio) return bio;
  BIO_set_data(bio.get(), new Wire{fd, std::move(before)});
  BIO_set_init(bio.get(), 1);
  return bio;
}

}  // namespace sallyport::proxy
