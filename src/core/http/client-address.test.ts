import { describe, expect, it } from "vitest";
import { createAddressMatcher, getAddressGroup, getAddressNetwork, resolveClientAddress } from "./client-address";

describe("client address", () => {
  const isTrusted = createAddressMatcher(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]);

  it.each([
    ["203.0.113.5", "", "203.0.113.5", "there is no proxy"],
    ["203.0.113.5", "198.51.100.1", "203.0.113.5", "the sender is not a trusted proxy"],
    ["10.1.2.3", "198.51.100.1", "198.51.100.1", "a trusted proxy forwards it"],
    ["::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1", "a trusted proxy connects over an IPv6 socket"],
    ["10.1.2.3", "6.6.6.6, 198.51.100.1, 192.0.2.7", "198.51.100.1", "entries before it may be invented"],
    ["10.1.2.3", "10.9.9.9", "10.9.9.9", "all are trusted: the first"],
    ["10.1.2.3", "unknown, <script>", "10.1.2.3", "nothing in it is an address"],
    ["10.1.2.3", "6.6.6.6, unknown, 10.4.5.6", "10.4.5.6", "a proxy did not know its client"],
    ["10.1.2.3", "6.6.6.6, ", "10.1.2.3", "the last entry is empty"],
    ["10.1.2.3", "unknown, 198.51.100.1", "198.51.100.1", "the client sent something else than an address"],
    ["2001:db8::1", "2001:db9::1", "2001:db9::1", "the proxy has an IPv6 address"],
    ["10.1.2.3", "6.6.6.6, 198.51.100.1:5000", "198.51.100.1", "the proxy writes the port"],
    ["10.1.2.3", "6.6.6.6, [2001:db9::1]:5000", "2001:db9::1", "the proxy writes the port"],
  ])("resolves %s forwarded for %s to %s: %s", (remote, forwarded, address, _why) => {
    expect(resolveClientAddress(remote, forwarded, isTrusted)).toBe(address);
  });
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
])("counts sign-in attempts from %s as %s", (address, group) => {
  expect(getAddressGroup(address)).toBe(group);
});

it.each([
  ["192.0.2.1", "192.0.2.0/24"],
  ["::ffff:192.0.2.1", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["", "unknown network"],
])("counts the network of %s as %s", (address, network) => {
  expect(getAddressNetwork(address)).toBe(network);
});
