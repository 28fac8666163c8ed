#pragma once
// Every numeric limit of the product, in one place. Sizes in bytes, times in chrono units.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sallyport::limits {

using namespace std::chrono_literals;

// Names and heads
inline constexpr std::size_t kMaxHostBytes = 253;            // RFC 1035 section 2.3.4, without the root dot
inline constexpr std::size_t kMaxLabelBytes = 63;            // RFC 1035 section 2.3.4
inline constexpr std::size_t kMaxHeadBytes = 64 * 1024;      // request or response head; 431 above this
inline constexpr std::size_t kMaxHeaderFields = 256;         // fields in one head; 431 above this
inline constexpr std::size_t kMaxLeadingEmptyLines = 4;      // in front of a request head, RFC 9112 section 2.2
inline constexpr std::size_t kMaxTargetBytes = 16 * 1024;    // request target; 414 above this
inline constexpr std::size_t kMaxClientHelloBytes = 64 * 1024;  // handshake message, over all records
inline constexpr std::size_t kMaxClientHelloRecords = 4096;  // records that message may be cut into
inline constexpr std::size_t kMaxChunkLineBytes = 4 * 1024;  // chunk-size line with extensions
inline constexpr std::size_t kMaxTrailerBytes = 16 * 1024;
inline constexpr std::size_t kMaxDnsMessageBytes = 4096;     // a question from the jail is far smaller
inline constexpr std::size_t kMaxPolicyFileBytes = 16 * 1024 * 1024;
inline constexpr std::size_t kMaxPolicyBundleBytes = 256 * 1024 * 1024;  // all layers of one policy, as they go to the gateway
inline constexpr std::size_t kMaxPolicyDepth = 8;            // extends chain
inline constexpr std::size_t kMaxYamlDepth = 16;             // nested lists and mappings in a policy file
inline constexpr std::size_t kMaxYamlNodes = 1'000'000;       // values in a policy file
inline constexpr std::size_t kMaxTextGlobBytes = 256;        // a pattern of a header or query value in a policy
inline constexpr std::size_t kMaxTrustFileBytes = 16 * 1024 * 1024;  // a file of trusted certificates on the host
inline constexpr std::size_t kMaxHintBytes = 300;            // what a rule may say about its refusals

// The relay
inline constexpr std::size_t kRelayBlockBytes = 64 * 1024;

// Waits
inline constexpr std::chrono::milliseconds kFirstByteTimeout = 10s;   // accepted, and nothing sent
inline constexpr std::chrono::milliseconds kHeadTimeout = 30s;        // first byte to end of head or ClientHello
inline constexpr std::chrono::milliseconds kKeepAliveTimeout = 60s;   // between requests of one connection
inline constexpr std::chrono::milliseconds kResolveTimeout = 10s;
inline constexpr std::chrono::milliseconds kConnectTimeout = 10s;     // all addresses together
inline constexpr std::chrono::milliseconds kConnectAttemptDelay = 250ms;  // RFC 8305 section 5
inline constexpr std::chrono::milliseconds kIdleTimeout = 10min;      // a tunnel or body in which nothing moves
inline constexpr std::chrono::milliseconds kDrainTimeout = 2s;        // lingering close after a refusal

// TLS
inline constexpr std::chrono::hours kCertificateBackdate{24};    // clocks of clients differ
inline constexpr std::chrono::hours kCaLifetime{365 * 24};       // of a session's authority: longer than any session
inline constexpr std::chrono::hours kLeafLifetime{7 * 24};       // renewed when half of it is over
inline constexpr std::size_t kMaxLeafCertificates = 1024;        // about 2 kB each
inline constexpr std::size_t kMaxTlsSessions = 1024;             // to servers, for resumption; about 3 kB each
inline constexpr std::chrono::milliseconds kTlsHandshakeTimeout = 15s;
inline constexpr std::size_t kMaxCaBundleBytes = 16 * 1024 * 1024;  // of --ca-bundle and of the system's roots, each
inline constexpr std::chrono::milliseconds kReuseForBody = 2s;   // an upstream connection idle for longer gets no request with a body

// The gateway as a whole
inline constexpr std::size_t kMaxConnections = 16 * 1024;
inline constexpr std::size_t kMaxConnectionsPerClient = 1024;  // of `proxy`, from one source address
inline constexpr std::size_t kMaxMetricsConnections = 32;     // at a time
inline constexpr std::size_t kMaxDnsConnections = 256;       // TCP connections to the DNS stub
inline constexpr std::size_t kMaxQueuedRecords = 4096;       // unsent audit records before DNS and the packet log wait
inline constexpr std::size_t kMaxSyntheticNames = 128 * 1024 - 2;  // 198.18.0.0/15 without its first and last address
inline constexpr std::uint32_t kSyntheticTtlSeconds = 60;
inline constexpr std::chrono::milliseconds kDrainConnections = 10s;   // of `proxy`, for live connections to end by themselves
inline constexpr std::chrono::milliseconds kStopTimeout = 5s;         // for sessions to record their end after Stop

// The audit log
inline constexpr std::size_t kCheckpointRecords = 256;       // a signed checkpoint at least this often
inline constexpr std::chrono::milliseconds kCheckpointInterval = 10s;
inline constexpr std::size_t kMaxChannelMessageBytes = 128 * 1024;    // one message between gateway and supervisor
inline constexpr std::size_t kMaxAuditStringBytes = 64 * 1024;        // a longer value is cut, and the record says so
inline constexpr std::size_t kMaxAuditRecordTextBytes = 512 * 1024;   // the values of one record together; likewise
inline constexpr std::size_t kMaxAuditLineBytes = 1024 * 1024;        // a longer line is not one of ours

// Commands
inline constexpr std::size_t kMaxArgvBytes = 128 * 1024;     // what a command.exec record keeps of argv
inline constexpr std::size_t kMaxPathBytes = 4096;           // PATH_MAX
inline constexpr std::chrono::milliseconds kExecConfirmTimeout = 20ms;
inline constexpr std::chrono::milliseconds kKillGrace = 2s;  // between SIGTERM and SIGKILL at a time limit

static_assert(kMaxLabelBytes < kMaxHostBytes);
static_assert(kMaxTargetBytes < kMaxHeadBytes);

}  // namespace sallyport::limits
