import { isIP } from "node:net";
import { unmapAddress } from "@/core/http/client-address";

/**
 * What sign-in attempts are counted by: an IPv4 address, or the first 64 bits of an IPv6 address, which one customer
 * usually has. Anything else is counted together.
 */
export function getAddressGroup(address: string): string {
  const version = isIP(unmapAddress(address));
  if (version === 4) return unmapAddress(address);
  if (version === 0) return "unknown";
  const [head = "", tail = ""] = (address.split("%")[0] ?? "").split("::");
  const splitGroups = (part: string) => part.split(":").filter(Boolean);
  const zeros = Array<string>(8 - splitGroups(head).length - splitGroups(tail).length).fill("0");
  const groups = [...splitGroups(head), ...zeros, ...splitGroups(tail)].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
