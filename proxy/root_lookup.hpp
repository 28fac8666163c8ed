#pragma once
// OpenSSL's way to the roots of a RootIndex. Thread: its worker's. Source: X509_LOOKUP_meth_new(3).

#include "proxy/root_index.hpp"

namespace sallyport::proxy {

/// Has `store` look into `roots`, which outlives it. False when OpenSSL has no memory.
bool look_up_in(X509_STORE* store, RootIndex& roots);

}  // namespace sallyport::proxy
