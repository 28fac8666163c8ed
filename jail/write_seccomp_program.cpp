// Part of the build: prints the jail's seccomp filter as the source of seccomp_program().

#include "base/seccomp_export.hpp"
#include "jail/seccomp_filter.hpp"

int main() { return sallyport::print_program(sallyport::jail::build_seccomp_filter(), "jail", "seccomp_program"); }
