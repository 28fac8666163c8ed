#include "policies/git_request.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

using Kind = GitRequest::Kind;

void is(Kind kind, std::string_view method, std::string_view target, std::string_view repo = "") {
  auto const path = CanonicalPath::from(target).value();
  auto const asked = git_request_of(method, path);
  EXPECT_EQ(asked.kind, kind) << method << " " << target;
  EXPECT_EQ(asked.repo, repo) << method << " " << target;
}

TEST(GitRequest, FetchIsReading) {
  is(Kind::read, "GET", "/a/b.git/info/refs?service=git-upload-pack", "/a/b");
  is(Kind::read, "GET", "/a/b/info/refs?service=git-upload-pack", "/a/b");
  is(Kind::read, "POST", "/a/b.git/git-upload-pack", "/a/b");
  is(Kind::read, "POST", "/group/sub/b/git-upload-pack", "/group/sub/b");
}

TEST(GitRequest, PushIsWriting) {
  is(Kind::write, "GET", "/a/b.git/info/refs?service=git-receive-pack", "/a/b");
  is(Kind::write, "POST", "/a/b.git/git-receive-pack", "/a/b");
  is(Kind::write, "GET", "/a/b.git/info/refs?service=git%2Dreceive%2Dpack", "/a/b");
}

TEST(GitRequest, TheDumbProtocolOnlyReads) {
  std::string const object = "/a/b.git/objects/12/" + std::string(38, 'a');
  is(Kind::read, "GET", "/a/b.git/info/refs", "/a/b");
  is(Kind::read, "GET", "/a/b.git/HEAD", "/a/b");
  is(Kind::read, "GET", "/a/b.git/objects/info/packs", "/a/b");
  is(Kind::read, "GET", object, "/a/b");
  is(Kind::read, "GET", "/a/b.git/objects/pack/pack-0123456789abcdef.pack", "/a/b");
  is(Kind::read, "GET", "/a/b.git/objects/pack/pack-0123456789abcdef.idx", "/a/b");
  for (auto method : {"PUT", "DELETE", "PROPFIND", "MKCOL", "LOCK", "MOVE", "POST", "HEAD"}) is(Kind::other, method, object);
}

TEST(GitRequest, WhatIsNotExactlyGitIsOther) {
  for (auto target : {"/a/b.git/info/refs?service=git-upload-pack&service=git-receive-pack", "/a/b.git/info/refs?x=1",
                      "/a/b.git/info/refs?service=git-upload-archive", "/a/b.git/info/refs?", "/info/refs", "/.git/HEAD",
                      "/a/b/archive/main.tar.gz", "/a/b", "/", "/a/b.git/objects/12/345", "/a/b.git/objects/pack/pack-x.pack",
                      "/a/b.git/HEAD?x", "/a/b%2Fc/info/refs", "/a/b.git/config"}) {
    is(Kind::other, "GET", target);
  }
  for (auto target : {"/git-upload-pack", "/a/b.git/git-upload-pack?service=git-receive-pack", "/a/b.git/git-upload-archive",
                      "/a/b%2Fgit-receive-pack%3F/git-upload-pack", "/a/b.git/git-receive-pack/", "/a/b.git%2Fgit-receive-pack",
                      "/a/b.git/info/lfs/objects/batch"}) {
    is(Kind::other, "POST", target);
  }
  is(Kind::other, "PUT", "/a/b.git/git-receive-pack");
  is(Kind::other, "post", "/a/b.git/git-upload-pack");
}

}  // namespace
}  // namespace sallyport::policies
