import { BlockList, isIP } from "node:net";

/** The header in which the launcher tells the rest of the process where a request came from. */
export const CLIENT_ADDRESS_HEADER = "x-client-address";

/** Whether an address is one of the given addresses and ranges (CIDR). */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/**
 * The address a request came from: the nearest one that is not a proxy we trust. What stands before that in
 * X-Forwarded-For, or before a word that is no address, may be the client's own claim and is not believed.
 * @param remote of the connection
 */
export function clientAddress(
  remote: string,
  forwardedFor: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  if (!forwardedFor) return unmapped(remote);
  const forwarded = forwardedFor.split(",").map((entry) => withoutPort(entry.trim()));
  const claimed = forwarded.findLastIndex((entry) => isIP(entry) === 0);
  const hops = [...forwarded.slice(claimed + 1), remote].map(unmapped);
  return hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? remote;
}

/**
 * What attempts are counted by: an IPv4 address, or the first 64 bits of an IPv6 one, all of which one customer
 * usually has. Anything else is counted together.
 */
export function addressGroup(address: string): string {
  const version = isIP(unmapped(address));
  if (version === 4) return unmapped(address);
  if (version === 0) return "unknown";
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** Some proxies write the port behind the address: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function withoutPort(entry: string): string {
  return entry.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}

/** An IPv4 address that an IPv6 socket shows as `::ffff:192.0.2.1`, in its own form. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
