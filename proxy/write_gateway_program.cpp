// Part of the build: prints the gateway's seccomp filter as the source of gateway_program().

#include "base/seccomp_export.hpp"
#include "proxy/gateway_filter.hpp"

int main() { return sallyport::print_program(sallyport::proxy::build_gateway_filter(), "proxy", "gateway_program"); }
