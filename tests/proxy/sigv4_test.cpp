#include "proxy/sigv4.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

struct Signed {
  RequestHead head;
  HttpTarget target;
};

Signed request(std::string const& host, std::string const& path, std::vector<Field> fields, std::string const& method = "GET") {
  RequestHead head;
  head.method = method;
  head.fields = std::move(fields);
  return {std::move(head), {policies::CanonicalHost::from(host).value(), 443, policies::CanonicalPath::from(path).value(), UrlScheme::https}};
}

std::string authorization(std::string const& scope, std::string const& headers, std::string const& signature) {
  return "AWS4-HMAC-SHA256 Credential=" + scope + "/aws4_request, SignedHeaders=" + headers + ", Signature=" + signature;
}

constexpr char kEmptyHash[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// The examples of AWS's documentation, with the keys that stand there.
constexpr char kIamSecret[] = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr char kS3Secret[] = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

Signed list_users() {
  return request("iam.amazonaws.com", "/?Action=ListUsers&Version=2010-05-08",
                 {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"},
                  {"X-Amz-Date", "20150830T123600Z"},
                  {"Authorization", authorization("AKIDEXAMPLE/20150830/us-east-1/iam", "content-type;host;x-amz-date",
                                                  "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7")}});
}

Signed get_object() {
  return request("examplebucket.s3.amazonaws.com", "/test.txt",
                 {{"Authorization", authorization("AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3", "host;range;x-amz-content-sha256;x-amz-date",
                                                  "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")},
                  {"Range", "bytes=0-9"},
                  {"x-amz-content-sha256", kEmptyHash},
                  {"x-amz-date", "20130524T000000Z"}});
}

Signed presigned() {
  return request("examplebucket.s3.amazonaws.com",
                 "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date="
                 "20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
                 {});
}

bool is_made_with(std::string_view secret, Signed const& asked) {
  auto const signature = AwsSignature::read(asked.head, asked.target);
  return signature && !signature->needs_body_hash() && signature->is_made_with(secret, asked.head, asked.target);
}

TEST(SigV4, MakesWhatTheDocumentationsExamplesHave) {
  EXPECT_TRUE(is_made_with(kIamSecret, list_users()));
  EXPECT_TRUE(is_made_with(kS3Secret, get_object()));
  EXPECT_TRUE(is_made_with(kS3Secret, presigned()));
}

TEST(SigV4, AnyChangeMakesAnother) {
  EXPECT_FALSE(is_made_with("another", list_users()));
  auto other_header = get_object();
  other_header.head.fields[1].value = "bytes=0-10";
  EXPECT_FALSE(is_made_with(kS3Secret, other_header));
  auto other_path = get_object();
  other_path.target.path = policies::CanonicalPath::from("/test.txs").value();
  EXPECT_FALSE(is_made_with(kS3Secret, other_path));
  auto other_method = get_object();
  other_method.head.method = "DELETE";
  EXPECT_FALSE(is_made_with(kS3Secret, other_method));
  auto other_query = list_users();
  other_query.target.path = policies::CanonicalPath::from("/?Action=ListRoles&Version=2010-05-08").value();
  EXPECT_FALSE(is_made_with(kIamSecret, other_query));
}

TEST(SigV4, SignsAnewInTheSamePlace) {
  for (auto asked : {list_users(), get_object(), presigned()}) {
    auto const before = AwsSignature::read(asked.head, asked.target);
    ASSERT_TRUE(before);
    before->renew("the real one", asked.head, asked.target);
    EXPECT_TRUE(is_made_with("the real one", asked));
    before->renew("another", asked.head, asked.target);
    EXPECT_TRUE(is_made_with("the real one", asked)) << "what it knows of is no longer there";
  }
}

TEST(SigV4, TheOrderOfParametersDoesNotCount) {
  auto asked = list_users();
  asked.target.path = policies::CanonicalPath::from("/?Version=2010-05-08&Action=ListUsers").value();
  EXPECT_TRUE(is_made_with(kIamSecret, asked));
}

TEST(SigV4, ABodyWithoutAHashInTheHeadIsNeeded) {
  auto asked = list_users();
  asked.head.method = "POST";
  asked.head.body = ContentLength{4};
  auto signature = AwsSignature::read(asked.head, asked.target);
  ASSERT_TRUE(signature);
  EXPECT_TRUE(signature->needs_body_hash());
  signature->set_body("{}\r\n");
  EXPECT_FALSE(signature->needs_body_hash());
  signature->renew("s", asked.head, asked.target);
  auto again = AwsSignature::read(asked.head, asked.target).value();
  again.set_body("{}\r\n");
  EXPECT_TRUE(again.is_made_with("s", asked.head, asked.target));
  again.set_body("{ }");
  EXPECT_FALSE(again.is_made_with("s", asked.head, asked.target)) << "the body is signed";
}

TEST(SigV4, ChunksWithSignaturesOfTheirOwnAreKnown) {
  auto asked = get_object();
  EXPECT_FALSE(AwsSignature::read(asked.head, asked.target)->signs_chunks());
  asked.head.fields[2].value = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  EXPECT_TRUE(AwsSignature::read(asked.head, asked.target)->signs_chunks());
  asked.head.fields[2].value = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
  EXPECT_FALSE(AwsSignature::read(asked.head, asked.target)->signs_chunks());
}

TEST(SigV4, WhatIsNoneIsLeftAlone) {
  auto const read_with = [](std::string const& value) {
    auto const asked = request("a.example", "/", {{"Authorization", value}, {"x-amz-date", "20130524T000000Z"}});
    return AwsSignature::read(asked.head, asked.target).has_value();
  };
  std::string const digits(64, 'a');
  EXPECT_TRUE(read_with(authorization("ID/20130524/r/s", "host", digits)));
  for (auto const& value :
       {std::string("Bearer x"), std::string("AWS4-HMAC-SHA256"), std::string("AWS4-HMAC-SHA256 "), authorization("ID/20130524/r", "host", digits),
        authorization("ID/20130524/r/s/t", "host", digits), authorization("ID/20130524/r/s", "", digits), authorization("ID/20130524/r/s", "host", "abc"),
        authorization("ID/20130524/r/s", "host", std::string(64, 'X')), std::string("AWS4-ECDSA-P256-SHA256 Credential=a")})
    EXPECT_FALSE(read_with(value)) << value;
  auto const plain = request("a.example", "/?a=b", {});
  EXPECT_FALSE(AwsSignature::read(plain.head, plain.target));
}

}  // namespace
}  // namespace sallyport::proxy
