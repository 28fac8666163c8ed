#pragma once
// A loaded policy: immutable after loading, shared by std::shared_ptr<Policy const>. Values only.

#include "policies/address_class.hpp"
#include "policies/verdict.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sallyport::policies {

/// Where something was written, for errors and `explain`. Lines and columns count from 1.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(Place const&) const = default;
};

enum class Inspect {
  full,  // terminate TLS and decide each request inside; the default
  sni,   // opaque after the SNI check
  raw,   // bytes nobody reads: ssh, databases, protocols in which the server speaks first
};

enum class ResolveClass { public_, private_, cidrs };

/// Which addresses a rule's names may resolve to.
struct ResolveRule {
  ResolveClass kind = ResolveClass::public_;
  std::vector<Cidr> cidrs;  // if kind is cidrs
};

/// What a query parameter or a header field has to be.
struct Condition {
  std::string name;                 // of a header field in lower case; of a parameter with its escapes undone
  std::vector<std::string> values;  // text globs (policies/text_glob.hpp), one of which fits; empty: it must not be there
  bool operator==(Condition const&) const = default;
};

/// Whether requests may become WebSockets (RFC 6455), which carry as much up as they like.
enum class WebSocketUse {
  by_methods,  // the rule does not say: they may, unless it lists methods, or is about git
  allowed,
  refused,
};

enum class GitAccess { read, write };

/// Git over HTTP, instead of methods and paths.
struct GitRule {
  std::vector<std::string> repos;  // path globs without the first slash and without ".git"
  GitAccess access = GitAccess::read;
  bool operator==(GitRule const&) const = default;
};

/// What a rule's requests may use. Counted by the gateway, for each rule by itself.
struct RuleLimits {
  std::optional<std::uint64_t> request_body;         // bytes in the body of one request
  std::optional<std::uint64_t> upload;               // bytes of all request bodies of the session
  std::optional<std::uint32_t> requests_per_minute;  // HTTP requests, or connections where requests are not seen
  std::optional<std::uint32_t> connections;          // open upstream connections at a time
  bool operator==(RuleLimits const&) const = default;
};

/// What happens to a message that holds a secret. docs/dlp.md says what each finding amounts to.
enum class DlpAction {
  off,     // it is not looked at
  alert,   // it passes, and the audit log says what it held
  redact,  // in a body, a placeholder takes the secret's place; where none can, it is refused
  block,   // it is refused
};

/// Where values to look for come from.
enum class KnownSource {
  env,     // variables of the caller whose name says that they are secret
  dotenv,  // the same of .env files in the workspace
};

/// Where decoys are planted in the jail.
enum class CanaryPlace {
  env,    // variables
  files,  // of the home
};

/// A detector whose findings, or one value of them, may go to a host.
struct DlpException {
  std::string host;  // canonical pattern, as in Rule::hosts
  std::string detector;
  std::string until;  // the last day, YYYY-MM-DD; empty: no end
  Place place;
  std::string digest = {};  // of the one value, as in dlp.finding records; empty: of any value
};

struct DetectorName {
  std::string id;
  Place place;
};

/// A gitleaks configuration whose rules are looked for as well.
struct DetectorImport {
  std::string path;  // as the policy file writes it; from the loader on, seen from the working directory
  std::string text;  // of the file; empty until the loader read it
  Place place;
};

struct DlpPolicy {
  DlpAction action = DlpAction::block;
  std::vector<KnownSource> known_values{KnownSource::env, KnownSource::dotenv};
  std::vector<CanaryPlace> canaries;
  bool responses = false;  // what servers answer is searched, too
  std::vector<DetectorName> disabled;
  std::vector<DetectorImport> imports;
  std::vector<DlpException> allow;
};

/// Where the real value of a credential comes from, outside the jail.
struct FromEnvironment { std::string name; };
struct FromFile { std::string path; };
struct FromCommand {
  std::vector<std::string> argv;                                           // its standard output
  std::optional<std::chrono::milliseconds> every = std::nullopt;  // how often it is run again; empty: once
};
using CredentialSource = std::variant<FromEnvironment, FromFile, FromCommand>;

/// Where in a request the value may stand.
struct CredentialSpot {
  enum class Kind { header, basic, query, body, sigv4 };  // sigv4: it signs, and stands nowhere
  Kind kind = Kind::header;
  std::string name;  // of the field, in lower case, or of the query parameter
  std::string form;  // of the field's value: "{}" is any that holds it, "Bearer {}" exactly that
  bool operator==(CredentialSpot const&) const = default;
};

/// A file of the jail's home in which a placeholder stands.
struct CredentialFile {
  std::string path;  // below the home, without a leading '/'
  std::string text;  // with {} where the placeholder goes
};

/// A secret that requests to its hosts carry, and that the jail never sees: it has a placeholder.
struct Credential {
  std::string name;  // of the variable in the jail that holds the placeholder
  CredentialSource from;
  std::vector<std::string> hosts;  // canonical patterns, as in Rule::hosts
  std::vector<CredentialSpot> spots;
  std::optional<CredentialFile> into = std::nullopt;
  bool optional = false;  // without its source, or where nobody hands out placeholders, there is none
  Place place;
};

struct Rule {
  std::string name;
  std::vector<std::string> hosts;    // canonical patterns, as section "Hosts" of docs/policy_reference.md
  std::vector<std::uint16_t> ports;  // default 443; of a deny rule: empty is any port, and the default
  Inspect inspect = Inspect::full;
  std::vector<std::string> methods;  // empty: any
  std::vector<std::string> paths;    // globs; empty: any
  std::vector<Condition> query;      // all of them must hold
  std::vector<Condition> headers;    // all of them must hold
  std::optional<GitRule> git;        // methods, paths and query are empty then
  WebSocketUse websocket = WebSocketUse::by_methods;
  Action action = Action::allow;
  std::vector<std::string> processes;  // globs of executables; empty: any
  ResolveRule resolve;
  RuleLimits limits;
  std::optional<DlpAction> dlp;  // absent: the policy's
  std::string hint;  // what a person should know when this rule is why a request is refused; may be empty
  Place place;
};

enum class Network { none, restricted, full };
enum class Workspace { rw, ro };

struct Filesystem {
  std::vector<std::string> read;   // further paths that are visible, read-only
  std::vector<std::string> write;  // further paths that are writable
  std::vector<std::string> hide;   // paths that are not there
  Workspace workspace = Workspace::rw;
};

struct Environment {
  std::vector<std::string> pass;  // further variables of the caller, by name
  std::map<std::string, std::string> set;
};

/// One entry of `tests`: a request, and what the policy has to answer.
struct PolicyTest {
  std::string method;
  std::string url;
  std::map<std::string, std::string> headers;
  std::string process;  // path of the executable; empty: not known
  Action expect = Action::deny;
  std::string rule;    // that decides; empty: any
  std::string reason;  // of a refusal; empty: any
  Place place;
};

struct Policy {
  std::string name;                 // of the last file, or "none"
  std::vector<std::string> layers;  // what was merged, in order: "preset npm", "file policy.yaml", "--allow x"
  std::string digest;               // "sha256:<hex>" over the bytes of all layers
  Network network = Network::none;
  std::vector<std::shared_ptr<Rule const>> rules;
  Filesystem filesystem;
  Environment environment;
  DlpPolicy dlp;
  std::vector<Credential> credentials;
  std::vector<PolicyTest> tests;      // of the last file only: what it extends has tests of its own
  std::vector<std::string> warnings;  // one line each: a rule that can never match, …
};

}  // namespace sallyport::policies
