package io.quotatree.http;

import java.util.List;
import java.util.stream.Stream;

/** Identities as a reader with a source of every kind reads them. */
final class TestIdentities {

  static final String PROXY = "10.0.0.1";
  static final String STRANGER = "198.51.100.4";

  static final IdentityReader READER =
      new IdentityReader(
          new IdentityConfig(
              sources("header:X-App-Id", "header:X-Tenant-Id", "cookie:app"),
              sources("header:X-User-Id", "cookie:uid"),
              sources("header:X-Plan"),
              sources("header:X-Device-Id", "cookie:sid", "cookie:sid2"),
              List.of(AddressBlock.parse("10.0.0.0/8"), AddressBlock.parse("2001:db8:ffff::/48"))));

  private TestIdentities() {}

  static List<IdentitySource> sources(String... texts) {
    return Stream.of(texts).map(IdentitySource::parse).toList();
  }

  static Identity fromProxy(String... namesAndValues) {
    return READER.read(TestHeaders.of(namesAndValues), PROXY);
  }

  static Identity fromStranger(String... namesAndValues) {
    return READER.read(TestHeaders.of(namesAndValues), STRANGER);
  }
}
