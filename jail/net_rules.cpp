#include "jail/net_rules.hpp"

#include "jail/net_transaction.hpp"

#include <arpa/inet.h>

namespace sallyport::jail {
namespace {

using namespace nft;

constexpr std::uint32_t kReportsPerSecond = 1000;
constexpr std::uint8_t kTcp = IPPROTO_TCP;

Expr load_port(std::uint16_t port) {
  std::uint16_t const network_order = htons(port);
  return load(&network_order, sizeof network_order);
}
Expr limit() { return report_limit(kReportsPerSecond); }
Expr note(char const* prefix) { return report(kPacketLogGroup, prefix); }

void add_redirects(Transaction& t, NetPorts const& ports) {
  constexpr char kChain[] = "redirect_out";
  t.add_chain(kChain, {"nat", NF_INET_LOCAL_OUT, -100, NF_ACCEPT});
  for (std::uint8_t l4 : {std::uint8_t{IPPROTO_UDP}, std::uint8_t{IPPROTO_TCP}}) {
    t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(l4), payload(NFT_PAYLOAD_TRANSPORT_HEADER, 2, 2),
                        equals(htons(53)), load_port(ports.dns), redirect()});
  }
  accept_loopback(t, kChain);
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(kTcp), load_port(ports.transparent), redirect()});
}

void add_output_filter(Transaction& t) {
  constexpr char kChain[] = "filter_out";
  t.add_chain(kChain, {"filter", NF_INET_LOCAL_OUT, 0, NF_DROP});
  std::uint32_t const dnat = IPS_DST_NAT, none = 0;
  std::uint8_t const reply = IP_CT_DIR_REPLY;
  t.add_rule(kChain, {conntrack(NFT_CT_STATUS), mask(dnat), differs(none), accept()});
  t.add_rule(kChain, {conntrack(NFT_CT_DIRECTION), equals(reply), accept()});
  accept_loopback(t, kChain);
  std::uint8_t const udp = IPPROTO_UDP;
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(udp), limit(), note(kUdpPrefix)});
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), differs(udp), limit(), note(kProtocolPrefix)});
  t.add_rule(kChain, {reject_unreachable()});
}

/// A connection to a loopback port without a listener would get a reset anyway; here it is reported, too.
void add_input_filter(Transaction& t) {
  constexpr char kChain[] = "filter_in";
  t.add_chain(kChain, {"filter", NF_INET_LOCAL_IN, 0, NF_ACCEPT});
  std::uint8_t const syn_ack = 0x12, syn = 0x02;  // bits of byte 13 of the TCP header
  t.add_rule(kChain, {has_socket(), accept()});
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(kTcp), payload(NFT_PAYLOAD_TRANSPORT_HEADER, 13, 1),
                      mask(syn_ack), equals(syn), limit(), note(kLoopbackPrefix)});
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(kTcp), payload(NFT_PAYLOAD_TRANSPORT_HEADER, 13, 1),
                      mask(syn_ack), equals(syn), reject_reset()});
}

}  // namespace

std::vector<std::uint8_t> build_net_rules(NetPorts const& ports, TableLife life) {
  Transaction transaction;
  transaction.add_table(life);
  add_redirects(transaction, ports);
  add_output_filter(transaction);
  add_input_filter(transaction);
  return transaction.finish();
}

}  // namespace sallyport::jail
