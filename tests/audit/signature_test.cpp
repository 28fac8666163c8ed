#include "audit/signature.hpp"

#include <gtest/gtest.h>

namespace sallyport::audit {
namespace {

// RFC 8032 section 7.1, test 2, with the private key in the form of RFC 8410 section 7.
constexpr auto kRfcPem =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7\n"
    "-----END PRIVATE KEY-----\n";

TEST(Signature, SignsWhatItsPublicKeyVerifies) {
  auto const key = SigningKey::generate().value();
  auto const verifier = PublicKey::from_text(key.public_text()).value();
  auto const signature = key.sign("message");
  EXPECT_TRUE(verifier.verifies("message", signature));
  EXPECT_FALSE(verifier.verifies("massage", signature));
  EXPECT_FALSE(verifier.verifies("", signature));
}

TEST(Signature, RefusesTheSignatureOfAnotherKey) {
  auto const key = SigningKey::generate().value();
  auto const other = SigningKey::generate().value();
  auto const verifier = PublicKey::from_text(key.public_text()).value();
  EXPECT_FALSE(verifier.verifies("message", other.sign("message")));
}

TEST(Signature, RefusesWhatIsNoSignature) {
  auto const key = SigningKey::generate().value();
  auto const verifier = PublicKey::from_text(key.public_text()).value();
  auto const good = key.sign("message");
  for (auto const& bad : {std::string(), std::string("x"), std::string(88, 'A'), std::string(88, '!'), good + "A",
                          good.substr(1), good.substr(0, 87), " " + good}) {
    EXPECT_FALSE(verifier.verifies("message", bad)) << bad;
  }
}

TEST(Signature, KeepsItsKeyThroughPem) {
  auto const key = SigningKey::generate().value();
  auto const again = SigningKey::from_pem("a line before\n" + key.to_pem()).value();
  EXPECT_EQ(again.public_text(), key.public_text());
}

TEST(Signature, IsThatOfTheStandard) {
  auto const key = SigningKey::from_pem(kRfcPem);
  ASSERT_TRUE(key) << key.error().what;
  EXPECT_EQ(key->public_text(), "ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=");
  EXPECT_EQ(key->sign("\x72"),
            "kqAJqfDUyrhyDoILX2QlQKKye1QWUD+Ps3YiI+vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkWErsMAA==");
}

TEST(Signature, RefusesTextsThatAreNoKey) {
  for (auto const* text :
       {"", "ed25519:", "ed25519:AAAA", "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=",
        "ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw", "ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgx="}) {
    EXPECT_FALSE(PublicKey::from_text(text)) << text;
  }
  EXPECT_FALSE(SigningKey::from_pem(""));
  EXPECT_FALSE(SigningKey::from_pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"));
}

TEST(Signature, NamesKeysByFingerprint) {
  EXPECT_EQ(fingerprint("abc"), "ba7816bf8f01cfea");
  EXPECT_NE(fingerprint("abc"), fingerprint("abd"));
}

}  // namespace
}  // namespace sallyport::audit
