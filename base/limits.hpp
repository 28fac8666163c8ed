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
inline constexpr std::size_t kMaxDotenvBytes = 64 * 1024;        // of one .env file; what stands behind is not looked for
inline constexpr std::size_t kMaxKnownValues = 1024;             // of all .env files
inline constexpr std::size_t kMaxCredentialBytes = 4096;         // one page of locked memory
inline constexpr std::chrono::milliseconds kCredentialCommandTimeout = 30s;
inline constexpr std::chrono::milliseconds kMinCredentialRefresh = 1s;
inline constexpr std::size_t kMaxSignedBodyBytes = 4 * 1024 * 1024;  // held until the signature over it can be made
inline constexpr std::size_t kMaxTrustFileBytes = 16 * 1024 * 1024;  // a file of trusted certificates on the host
inline constexpr std::size_t kMaxHintBytes = 300;            // what a rule may say about its refusals

// The relay
inline constexpr std::size_t kRelayBlockBytes = 64 * 1024;

// Waits
inline constexpr std::chrono::milliseconds kFirstByteTimeout = 10s;   // accepted, and nothing sent
inline constexpr std::size_t kMaxProxyHeaderBytes = 4096;             // of PROXY protocol, behind its fixed part
inline constexpr std::chrono::milliseconds kHeadTimeout = 30s;        // first byte to end of head or ClientHello
inline constexpr std::chrono::milliseconds kKeepAliveTimeout = 60s;   // between requests of one connection
inline constexpr std::chrono::milliseconds kGoneCheck = 5s;           // how often it is looked whether an HTTP/1.1 client is still there
inline constexpr std::chrono::milliseconds kGoneTimeout = 30s;        // one that sends no more, and to whom nothing went for so long, is not
inline constexpr std::chrono::milliseconds kResolveTimeout = 10s;
inline constexpr std::chrono::seconds kMaxDnsTtl = 5min;      // an answer that may be kept for longer is asked for again
inline constexpr std::chrono::seconds kNoSuchNameTtl = 5s;    // c-ares does not tell what RFC 2308 says
inline constexpr std::size_t kMaxCachedNames = 1024;
inline constexpr std::chrono::milliseconds kConnectTimeout = 10s;     // all addresses together
inline constexpr std::chrono::milliseconds kConnectAttemptDelay = 250ms;  // RFC 8305 section 5
inline constexpr std::chrono::milliseconds kIdleTimeout = 10min;      // a tunnel or body in which nothing moves
inline constexpr std::chrono::milliseconds kDrainTimeout = 2s;        // lingering close after a refusal
inline constexpr std::chrono::milliseconds kFarewellTimeout = 800ms;  // for a WebSocket that a new policy ends: less than the second it has

// TLS
inline constexpr std::chrono::hours kCertificateBackdate{24};    // clocks of clients differ
inline constexpr std::chrono::hours kCaLifetime{365 * 24};       // of a session's authority: longer than any session
inline constexpr std::chrono::hours kLeafLifetime{7 * 24};       // renewed when half of it is over
inline constexpr std::size_t kMaxLeafCertificates = 1024;        // about 2 kB each
inline constexpr std::size_t kMaxTlsSessions = 1024;             // to servers, for resumption; about 3 kB each
inline constexpr std::chrono::milliseconds kTlsHandshakeTimeout = 15s;
inline constexpr std::size_t kMaxCaBundleBytes = 16 * 1024 * 1024;  // of --ca-bundle and of the system's roots, each
inline constexpr std::chrono::milliseconds kReuseForBody = 2s;   // an upstream connection idle for longer gets no request with a body

inline constexpr std::size_t kMaxAskerPathBytes = 512;  // of an executable or script that a rule may depend on; longer ones are not known

// HTTP/2 (RFC 9113), each for one connection
inline constexpr std::size_t kSeamBytes = 2 * 1024;                  // on each side, of two messages of a stream, that are looked at together
inline constexpr std::size_t kH2MaxStreams = 100;                  // at once; RFC 9113 section 6.5.2
inline constexpr std::size_t kH2RequestWindowBytes = 256 * 1024;   // of a request body that came and was not passed on
inline constexpr std::size_t kH2ResponseWindowBytes = 1024 * 1024;  // of a response body; servers are further away than clients
inline constexpr std::size_t kH2ConnectionWindowBytes = 4 * 1024 * 1024;  // of all bodies together
inline constexpr std::size_t kH2HeaderTableBytes = 4096;           // of HPACK, each way; RFC 7541 section 4.2
inline constexpr std::size_t kH2MaxContinuations = 8;              // frames behind one HEADERS; CVE-2024-27316
inline constexpr std::size_t kH2MaxSettings = 32;                  // entries of one SETTINGS frame
inline constexpr std::size_t kH2MaxUnsentAcks = 128;               // answers to PING and SETTINGS the peer does not read
inline constexpr std::size_t kH2MaxInterimHeads = 16;              // 1xx in front of one response
inline constexpr std::size_t kH2ControlFrames = 1000;              // frames without content that may come at once, and
inline constexpr std::size_t kH2ControlFramesPerSecond = 100;      // how many more each second
inline constexpr std::size_t kH2ControlFramesPerData = 4;          // and with each DATA frame that has content, either way
inline constexpr std::size_t kH2Resets = 200;                      // streams that the peer may break off at once; CVE-2023-44487
inline constexpr std::size_t kH2ResetsPerSecond = 20;
inline constexpr std::chrono::milliseconds kH2StallTimeout = 60s;  // a peer that opens no window, or reads nothing

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
inline constexpr std::chrono::microseconds kMaxRecordWait = 500us;  // of a record in the gateway, for others to go with it
inline constexpr std::chrono::milliseconds kAuditPathCheckInterval = 200ms;
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
