#include "proxy/root_lookup.hpp"

#include <openssl/x509_vfy.h>

namespace sallyport::proxy {
namespace {

using MethodPtr = std::unique_ptr<X509_LOOKUP_METHOD, OpenSslFree<&X509_LOOKUP_meth_free>>;

std::string_view der_of(X509_NAME const* name) {
  unsigned char const* bytes = nullptr;
  std::size_t size = 0;
  if (X509_NAME_get0_der(name, &bytes, &size) != 1) return {};
  return {reinterpret_cast<char const*>(bytes), size};
}

/// The store's own search compares names without case and string type: what it finds once all roots are there.
X509* find_in(X509_STORE* store, X509_NAME const* name) {
  auto* const object = X509_OBJECT_retrieve_by_subject(X509_STORE_get0_objects(store), X509_LU_X509, name);
  return object != nullptr ? X509_OBJECT_get0_X509(object) : nullptr;
}

/// X509_LOOKUP_get_by_subject_fn. What is found is added to the store, which holds it; the result takes no reference of its own.
int by_subject(X509_LOOKUP* lookup, X509_LOOKUP_TYPE type, X509_NAME const* name, X509_OBJECT* result) {
  if (type != X509_LU_X509) return 0;
  auto& roots = *static_cast<RootIndex*>(X509_LOOKUP_get_method_data(lookup));
  auto* const store = X509_LOOKUP_get_store(lookup);
  auto certificates = roots.with_subject(der_of(name));
  if (certificates.empty()) certificates = roots.take_all();
  for (auto const& certificate : certificates) X509_STORE_add_cert(store, certificate.get());
  auto* const found = find_in(store, name);
  if (found == nullptr || X509_OBJECT_set1_X509(result, found) != 1) return 0;
  X509_free(found);
  return 1;
}

MethodPtr make_method() {
  MethodPtr method(X509_LOOKUP_meth_new("sallyport roots"));
  if (method) X509_LOOKUP_meth_set_get_by_subject(method.get(), by_subject);
  return method;
}

}  // namespace

bool look_up_in(X509_STORE* store, RootIndex& roots) {
  static MethodPtr const method = make_method();
  auto* const lookup = method ? X509_STORE_add_lookup(store, method.get()) : nullptr;
  return lookup != nullptr && X509_LOOKUP_set_method_data(lookup, &roots) == 1;
}

}  // namespace sallyport::proxy
