import { describe, expect, it } from "vitest";
import { addressGroup, addressMatcher, clientAddress } from "./client-address";

describe("the address of a client", () => {
  const isTrusted = addressMatcher(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]);

  it.each([
    ["203.0.113.5", undefined, "203.0.113.5", "there is no proxy"],
    ["203.0.113.5", "198.51.100.1", "203.0.113.5", "it is not a trusted one that claims another"],
    ["10.1.2.3", "198.51.100.1", "198.51.100.1", "a trusted proxy tells it"],
    ["::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1", "a trusted proxy tells it over an IPv6 socket"],
    [
      "10.1.2.3",
      "6.6.6.6, 198.51.100.1, 192.0.2.7",
      "198.51.100.1",
      "what stands before it is the client's claim",
    ],
    ["10.1.2.3", "10.9.9.9", "10.9.9.9", "all are trusted: the farthest"],
    ["10.1.2.3", "unknown, <script>", "10.1.2.3", "nothing in it is an address"],
    ["10.1.2.3", "6.6.6.6, unknown, 10.4.5.6", "10.4.5.6", "a proxy could not tell whom it had before it"],
    ["10.1.2.3", "6.6.6.6, ", "10.1.2.3", "a proxy told nobody"],
    ["10.1.2.3", "unknown, 198.51.100.1", "198.51.100.1", "the client claims what is no address"],
    ["2001:db8::1", "2001:db9::1", "2001:db9::1", "the proxy has an IPv6 address"],
    ["10.1.2.3", "6.6.6.6, 198.51.100.1:5000", "198.51.100.1", "the proxy tells the port too"],
    ["10.1.2.3", "6.6.6.6, [2001:db9::1]:5000", "2001:db9::1", "the proxy tells the port too"],
  ])("from %s forwarded for %s is %s: %s", (remote, forwarded, address, _why) => {
    expect(clientAddress(remote, forwarded, isTrusted)).toBe(address);
  });

  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", "unknown"],
  ])("%s is counted as %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
