#include "dlp/base_n.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

// RFC 4648 section 10.
TEST(BaseN, AgreesWithTheVectorsOfRfc4648) {
  struct Case {
    char const *bytes, *base64, *base32;
  };
  for (auto const& [bytes, base64, base32] : {Case{"f", "Zg==", "MY"}, Case{"fo", "Zm8=", "MZXQ"},
                                              Case{"foo", "Zm9v", "MZXW6"}, Case{"foobar", "Zm9vYmFy", "MZXW6YTBOI"}}) {
    EXPECT_EQ(base64, to_base64(bytes));
    EXPECT_EQ(base32, to_base32(bytes));
    EXPECT_EQ(bytes, base64_bytes(base64).value_or("none"));
    std::string decoded;
    decode_base32(base32, decoded);
    EXPECT_EQ(bytes, decoded);
  }
}

TEST(BaseN, RoundTripsBytesOfEveryLength) {
  ExampleRandom random(1);
  for (std::size_t length = 0; length < 70; ++length) {
    auto bytes = random.bytes(length);
    EXPECT_EQ(bytes, base64_bytes(to_base64(bytes)).value_or("none")) << length;
    EXPECT_EQ(bytes, base64_bytes(to_base64_url(bytes)).value_or("none")) << length;
    EXPECT_EQ(bytes, base58_bytes(to_base58(bytes)).value_or("none")) << length;
  }
}

TEST(BaseN, DecodingStopsAtTheFirstOtherByte) {
  std::string out;
  EXPECT_EQ(4u, decode_base64("Zm9v Zm9v", out));
  EXPECT_EQ("foo", out);
  EXPECT_FALSE(base64_bytes("Zm9v!"));
  EXPECT_FALSE(base58_bytes("0OIl"));
}

TEST(BaseN, DecodesBase85AndAscii85) {
  std::string out;
  decode_base85("NM&qnZ!92pZ*pv8Ap", out);  // python3 -c 'import base64; base64.b85encode(b"Hello, world!")'
  EXPECT_EQ("Hello, world!", out);
  out.clear();
  decode_ascii85("87cURD_*#TDfTZ)+T", out);  // the same text, base64.a85encode
  EXPECT_EQ("Hello, world!", out);
  out.clear();
  decode_ascii85("z", out);
  EXPECT_EQ(std::string(4, '\0'), out);
}

TEST(BaseN, WritesNumbersWithPadding) {
  EXPECT_EQ("00000a", to_base(10, 36, 6));
  EXPECT_EQ("00000A", to_base(10, 62, 6));
  EXPECT_EQ("4gfFC3", to_base(0xffffffff, 62, 6));
}

}  // namespace
}  // namespace sallyport::dlp
