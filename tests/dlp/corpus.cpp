#include "corpus.hpp"

#include "codings.hpp"
#include "detector_cases.hpp"
#include "dlp/base_n.hpp"
#include "dlp/example.hpp"

#include <algorithm>

namespace sallyport::dlp::test {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kWords[] = {"request",  "install", "package", "token",    "return", "password",
                                       "const",    "secret",  "module",  "version",  "string", "await",
                                       "response", "key",     "update",  "the",      "with",   "config",
                                       "server",   "client",  "value",   "function", "error",  "test"};

std::string word(ExampleRandom& random) { return std::string(kWords[random.below(std::size(kWords))]); }
std::string hex(ExampleRandom& random, std::size_t length) { return random.text(kHexDigits, length); }
std::string version(ExampleRandom& random) {
  return std::to_string(random.below(20)) + "." + std::to_string(random.below(40)) + "." + std::to_string(random.below(9));
}

std::string npm_lock(ExampleRandom& random) {
  auto name = word(random) + "-" + word(random);
  return "    \"node_modules/" + name + "\": {\n      \"version\": \"" + version(random) +
         "\",\n      \"resolved\": \"https://registry.npmjs.org/" + name + "/-/" + name + "-" + version(random) +
         ".tgz\",\n      \"integrity\": \"sha512-" + to_base64(random.bytes(64)) +
         "\",\n      \"license\": \"MIT\"\n    },\n";
}

std::string packument(ExampleRandom& random) {
  return "{\"name\":\"" + word(random) + "\",\"dist\":{\"shasum\":\"" + hex(random, 40) + "\",\"integrity\":\"sha512-" +
         to_base64(random.bytes(64)) + "\",\"signatures\":[{\"keyid\":\"SHA256:" + to_base64(random.bytes(32)) +
         "\",\"sig\":\"" + to_base64(random.bytes(71)) + "\"}]},\"_npmUser\":{\"name\":\"" + word(random) +
         "\",\"email\":\"" + word(random) + "@users.noreply.example.org\"},\"_id\":\"" + word(random) + "@" +
         version(random) + "\",\"gitHead\":\"" + hex(random, 40) + "\"}\n";
}

std::string go_sum(ExampleRandom& random) {
  return "golang.test/x/" + word(random) + " v" + version(random) + " h1:" + to_base64(random.bytes(32)) + "\n";
}

std::string cargo_lock(ExampleRandom& random) {
  return "[[package]]\nname = \"" + word(random) + "\"\nversion = \"" + version(random) +
         "\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"" + hex(random, 64) +
         "\"\n\n";
}

std::string pip_hashes(ExampleRandom& random) {
  return word(random) + "==" + version(random) + " \\\n    --hash=sha256:" + hex(random, 64) +
         " \\\n    --hash=sha256:" + hex(random, 64) + "\n";
}

std::string minified_js(ExampleRandom& random) {
  return "function " + random.text("abcdefgh", 1) + "(e,t,n){var r=e." + word(random) + ";if(r&&t." + word(random) +
         "!==\"" + word(random) + "\")return n(" + std::to_string(random.below(100000)) + ");" + word(random) + "({" +
         word(random) + ":e=>t[" + word(random) + "]||{},token:r.token,password:n.password})}";
}

std::string source_code(ExampleRandom& random) {
  return "  const " + word(random) + " = await client." + word(random) +
         "({ apiKey: process.env.API_KEY, token: getToken(" + word(random) + ") });\n  // " + word(random) + " the " +
         word(random) + " https://docs.test/" + word(random) + "?id=" + hex(random, 8) + "#L" +
         std::to_string(random.below(900)) + "\n  if (password === undefined) throw new Error(\"password is required\");\n";
}

std::string chat(ExampleRandom& random) {
  return "{\"role\":\"user\",\"content\":\"Please " + word(random) + " the " + word(random) + " so that \\\"" +
         word(random) + "\\\" works.\\n```ts\\nconst secret = config.get('" + word(random) + "');\\n```\\nThe commit is " +
         hex(random, 40) + ".\"},{\"type\":\"tool_use\",\"id\":\"toolu_" +
         random.text("0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmn", 24) + "\"}\n";
}

std::string uuids(ExampleRandom& random) {
  return "{\"traceId\":\"" + hex(random, 32) + "\",\"spanId\":\"" + hex(random, 16) + "\",\"requestId\":\"" +
         hex(random, 8) + "-" + hex(random, 4) + "-4" + hex(random, 3) + "-a" + hex(random, 3) + "-" + hex(random, 12) +
         "\",\"etag\":\"W/\\\"" + hex(random, 32) + "\\\"\"}\n";
}

std::string image(ExampleRandom& random) {
  return "<img src=\"data:image/png;base64,iVBORw0KGgo" + to_base64(random.bytes(900)) + "\">\n";
}

std::string headers(ExampleRandom& random) {
  return "GET /" + word(random) + "/" + hex(random, 12) + "?page=" + std::to_string(random.below(99)) +
         " HTTP/1.1\r\nHost: " + word(random) +
         ".example.org\r\nUser-Agent: npm/10.9.2 node/v22.11.0 linux x64\r\nCookie: _ga=GA1.2." +
         std::to_string(random.below(1u << 31)) + "; theme=dark; csrftoken=" + word(random) + "\r\nIf-None-Match: \"" +
         hex(random, 32) + "\"\r\nTraceparent: 00-" + hex(random, 32) + "-" + hex(random, 16) + "-01\r\n\r\n";
}

std::string documentation(ExampleRandom& random) {
  return "export API_TOKEN=<your token>   # " + word(random) +
         "\nDATABASE_URL=postgres://user:password@localhost:5432/db\n"
         "aws_access_key_id = AKIA"
         "IOSFODNN7EXAMPLE\nSLACK_TOKEN=xoxb-your-token-here\npassword: changeme\ntoken: ghp_" +
         std::string(36, 'x') + "\ncurl -H \"Authorization: Bearer $TOKEN\" https://api.test/" + word(random) + "\n";
}

std::string binary(ExampleRandom& random) { return random.bytes(1000) + std::string(40, '\0'); }

std::string git_log(ExampleRandom& random) {
  return "commit " + hex(random, 40) + "\nAuthor: A U Thor <author@example.com>\n\n    " + word(random) + " " +
         word(random) + "\n\nindex " + hex(random, 7) + ".." + hex(random, 7) + " 100644\n+  " + word(random) + "." +
         word(random) + "();\n";
}

struct Benign {
  std::string_view kind;
  std::string (*make)(ExampleRandom&);
};
constexpr Benign kBenign[] = {
    {"package-lock.json", npm_lock},
    {"registry metadata", packument},
    {"go.sum", go_sum},
    {"Cargo.lock", cargo_lock},
    {"requirements hashes", pip_hashes},
    {"minified JavaScript", minified_js},
    {"source code", source_code},
    {"LLM chat", chat},
    {"ids and traces", uuids},
    {"base64 image", image},
    {"request heads", headers},
    {"documentation", documentation},
    {"binary", binary},
    {"git log", git_log},
};

/// A message of one place around a coded secret.
Sample placed(std::string_view coding, Detector const& detector, std::size_t turn, std::string const& coded) {
  struct Frame {
    Place place;
    std::string_view before, behind;
  };
  constexpr Frame kFrames[] = {
      {Place::body, "{\"messages\":[{\"role\":\"user\",\"content\":\"see ", " thanks\"}]}"},
      {Place::body, "name=report&data=", "&page=2"},
      {Place::body, "line one\nline two\n", "\nlast line\n"},
      {Place::header, "POST /upload HTTP/1.1\r\nHost: files.example.org\r\nX-Data: ", "\r\nAccept: */*\r\n\r\n"},
      {Place::url, "https://files.example.org/put?data=", "&page=2"},
      {Place::url, "https://files.example.org/put/", "/raw"},
      {Place::body, "--frontier\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\n",
       "\r\n--frontier--\r\n"},
  };
  auto const& frame = kFrames[turn % std::size(kFrames)];
  return {coding, detector.id, frame.place, std::string(frame.before) + coded + std::string(frame.behind)};
}

}  // namespace

void make_secret_samples(int rounds, SampleSink const& sink) {
  std::size_t turn = 0;
  for (int round = 0; round < rounds; ++round) {
    for (auto const& detector : builtin_detectors()) {
      auto secret = example(detector.example, 1000 + static_cast<std::uint64_t>(round));
      for (auto const& coding : all_codings()) sink(placed(coding.name, detector, turn++, coding.encode(secret)));
      turn += 2;  // so that a coding does not meet the same place again
    }
  }
}

std::vector<std::string_view> benign_kinds() {
  std::vector<std::string_view> kinds;
  for (auto const& benign : kBenign) kinds.push_back(benign.kind);
  return kinds;
}

std::string benign_text(std::string_view kind, std::size_t size, std::uint64_t seed) {
  auto const* benign =
      std::find_if(std::begin(kBenign), std::end(kBenign), [&](Benign const& b) { return b.kind == kind; });
  ExampleRandom random(seed);
  std::string text;
  while (benign != std::end(kBenign) && text.size() < size) text += benign->make(random);
  return text;
}

void make_benign_samples(int count, SampleSink const& sink) {
  for (auto const& benign : kBenign) {
    for (int i = 0; i < count; ++i) {
      sink({benign.kind, {}, Place::body, benign_text(benign.kind, 2000, static_cast<std::uint64_t>(i))});
    }
  }
}

}  // namespace sallyport::dlp::test
