import { expect, it } from "vitest";
import { getAddressGroup, getAddressNetwork } from "./client-address";

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
