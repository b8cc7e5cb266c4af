import { isIP } from "node:net";
import { unmapAddress } from "@/core/http/client-address";

/**
 * What requests of one client are counted by: an IPv4 address, or the first 64 bits of an IPv6 address, which one customer
 * usually has. Anything else is counted together.
 */
export function getAddressGroup(address: string): string {
  const plain = unmapAddress(address);
  if (isIP(plain) === 4) return plain;
  return isIP(plain) === 6 ? `${cutAddress(plain, 4)}::/64` : "unknown";
}

/** The network of an address: the first 24 bits of IPv4, or 48 of IPv6, which one site usually has. */
export function getAddressNetwork(address: string): string {
  const plain = unmapAddress(address);
  if (isIP(plain) === 4) return plain.replace(/\.\d+$/, ".0/24");
  return isIP(plain) === 6 ? `${cutAddress(plain, 3)}::/48` : "unknown network";
}

/** The first groups of an IPv6 address. */
function cutAddress(address: string, count: number): string {
  const [head = "", tail = ""] = (address.split("%")[0] ?? "").split("::");
  const splitGroups = (part: string) => part.split(":").filter(Boolean);
  const zeros = Array<string>(8 - splitGroups(head).length - splitGroups(tail).length).fill("0");
  const groups = [...splitGroups(head), ...zeros, ...splitGroups(tail)].slice(0, count);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
