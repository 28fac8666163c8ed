#include "policies/git_request.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

using Kind = GitRequest::Kind;

constexpr std::string_view kRefs = "/info/refs";
constexpr std::string_view kUploadPack = "git-upload-pack";
constexpr std::string_view kReceivePack = "git-receive-pack";

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// xx/yyyy…: a SHA-1 or SHA-256 object.
bool is_loose_object(std::string_view name) {
  bool const has_length = name.size() == 41 || name.size() == 65;
  return has_length && name[2] == '/' && is_hex(name.substr(0, 2)) && is_hex(name.substr(3));
}

/// pack/pack-….pack or .idx
bool is_pack(std::string_view name) {
  constexpr std::string_view kStart = "pack/pack-";
  if (!name.starts_with(kStart)) return false;
  name.remove_prefix(kStart.size());
  auto const dot = std::min(name.find('.'), name.size());
  auto const suffix = name.substr(dot);
  return is_hex(name.substr(0, dot)) && (suffix == ".pack" || suffix == ".idx");
}

/// How long the part behind the repository is in a GET of the dumb protocol; 0 if it is none.
std::size_t dumb_suffix(std::string_view path) {
  for (std::string_view file : {"/HEAD", "/objects/info/packs", "/objects/info/alternates", "/objects/info/http-alternates"}) {
    if (path.ends_with(file)) return file.size();
  }
  constexpr std::string_view kObjects = "/objects/";
  auto const at = path.rfind(kObjects);
  if (at == std::string_view::npos) return 0;
  auto const name = path.substr(at + kObjects.size());
  return is_loose_object(name) || is_pack(name) ? path.size() - at : 0;
}

/// The repository is what stands before the last `suffix` bytes. An escape in it could hide a slash: that is no repository.
GitRequest of_repo(Kind kind, std::string_view path, std::size_t suffix) {
  constexpr std::string_view kGit = ".git";
  auto repo = path.substr(0, path.size() - suffix);
  if (repo.ends_with(kGit)) repo.remove_suffix(kGit.size());
  bool const usable = repo.size() > 1 && !repo.ends_with('/') && repo.find('%') == std::string_view::npos;
  return usable ? GitRequest{kind, repo} : GitRequest{};
}

GitRequest of_refs(CanonicalPath const& path) {
  constexpr std::string_view kService = "service=";
  std::string_view const query = path.query();
  if (!path.has_query()) return of_repo(Kind::read, path.path(), kRefs.size());
  if (!query.starts_with(kService)) return {};
  auto const service = query.substr(kService.size());
  if (service == kUploadPack) return of_repo(Kind::read, path.path(), kRefs.size());
  if (service == kReceivePack) return of_repo(Kind::write, path.path(), kRefs.size());
  return {};
}

}  // namespace

GitRequest git_request_of(std::string_view method, CanonicalPath const& path) {
  std::string_view const text = path.path();
  if (method == "GET" && text.ends_with(kRefs)) return of_refs(path);
  if (path.has_query()) return {};
  if (method == "GET") {
    auto const suffix = dumb_suffix(text);
    return suffix > 0 ? of_repo(Kind::read, text, suffix) : GitRequest{};
  }
  if (method != "POST") return {};
  auto const last = text.rfind('/');
  auto const service = text.substr(last + 1);
  if (service == kUploadPack) return of_repo(Kind::read, text, text.size() - last);
  if (service == kReceivePack) return of_repo(Kind::write, text, text.size() - last);
  return {};
}

}  // namespace sallyport::policies
