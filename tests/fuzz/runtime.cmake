# What the gateway's runtime reads from the kernel on behalf of the jail.
sallyport_fuzz_target(packet_log SOURCES proxy/reject_message.cpp policies/address_class.cpp policies/quote.cpp
  LIBRARIES Boost::headers PkgConfig::libmnl)
