#include "base/seccomp_export.hpp"

#include "base/unique_fd.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <string>

namespace sallyport {

Result<std::vector<std::uint64_t>> export_program(scmp_filter_ctx filter) {
  auto file = UniqueFd::adopt(::memfd_create("seccomp", MFD_CLOEXEC), "memfd_create");
  if (!file) return file.error();
  if (int done = ::seccomp_export_bpf(filter, file->get()); done < 0) return Error::os(-done, "seccomp_export_bpf");
  struct stat info{};
  if (::fstat(file->get(), &info) < 0) return Error::os(errno, "fstat");
  std::vector<std::uint64_t> program(static_cast<std::size_t>(info.st_size) / sizeof(std::uint64_t));
  if (::pread(file->get(), program.data(), static_cast<std::size_t>(info.st_size), 0) != info.st_size)
    return Error::os(errno, "reading the seccomp program");
  return program;
}

int print_program(Result<std::vector<std::uint64_t>> const& program, std::string_view folder, std::string_view name) {
  if (!program) {
    std::fprintf(stderr, "%s\n", program.error().what.c_str());
    return 1;
  }
  std::string const space(folder), function(name);
  std::printf("#include \"%s/%s.hpp\"\n\nnamespace sallyport::%s {\nnamespace {\n\nconstexpr std::uint64_t kProgram[] = {\n", space.c_str(),
              function.c_str(), space.c_str());
  for (std::uint64_t const instruction : *program) std::printf("    0x%016" PRIx64 ",\n", instruction);
  std::printf("};\n\n}  // namespace\n\nstd::span<std::uint64_t const> %s() { return kProgram; }\n\n}  // namespace sallyport::%s\n",
              function.c_str(), space.c_str());
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace sallyport
