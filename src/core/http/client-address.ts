import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

export const CLIENT_ADDRESS_HEADER = "x-client-address";

const FORWARDED = /^(x-forwarded-.+|forwarded)$/;

type Matcher = (address: string) => boolean;

export function createAddressMatcher(ranges: readonly string[]): Matcher {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    if (bits === undefined) list.addAddress(address, getAddressFamily(address));
    else list.addSubnet(address, Number(bits), getAddressFamily(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, getAddressFamily(address));
}

/**
 * Replaces what the client sent in the internal header by the address that the request came from, and drops what only a
 * trusted proxy may say.
 * @returns the peer's address when its forwarded headers were dropped
 */
export function setClientAddress(request: IncomingMessage, isTrusted: Matcher): string | null {
  const { headers, rawHeaders, socket } = request;
  const peer = unmapAddress(socket.remoteAddress ?? "");
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const address = resolveClientAddress(peer, forwarded, isTrusted);
  const dropped = isTrusted(peer) ? [] : Object.keys(headers).filter((name) => FORWARDED.test(name));
  for (const name of dropped) delete headers[name];
  headers[CLIENT_ADDRESS_HEADER] = address;
  const isDropped = (name = "") => name === CLIENT_ADDRESS_HEADER || dropped.includes(name);
  // Hono's adapter reads the raw headers.
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (isDropped(rawHeaders[at]?.toLowerCase())) rawHeaders.splice(at, 2);
  rawHeaders.push(CLIENT_ADDRESS_HEADER, address);
  return dropped.length > 0 ? peer : null;
}

/** On a serverless host, the host's proxy sets it. */
export function getClientAddress({ headers }: { headers: Pick<Headers, "get"> }, serverless: boolean): string {
  if (serverless) return headers.get("x-forwarded-for")?.split(",")[0]?.trim() ?? "";
  return headers.get(CLIENT_ADDRESS_HEADER) ?? "";
}

/** The nearest address that is not a trusted proxy. A client may invent entries before it, or before an invalid one. */
export function resolveClientAddress(remote: string, forwardedFor: string, isTrusted: Matcher): string {
  const forwarded = forwardedFor.split(",").map((entry) => withoutPort(entry.trim()));
  const invalid = forwarded.findLastIndex((entry) => isIP(entry) === 0);
  const hops = [...forwarded.slice(invalid + 1), remote].map(unmapAddress);
  return hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? remote;
}

/** Some proxies write the port too: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function withoutPort(entry: string): string {
  return entry.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}

/** IPv6 sockets show IPv4 addresses as `::ffff:192.0.2.1`. */
export function unmapAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

function getAddressFamily(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/**
 * What requests of one client are counted by: an IPv4 address, or the first 64 bits of an IPv6 address, which one
 * customer usually has. Anything else is counted together.
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
