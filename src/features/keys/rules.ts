import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** 24 random bytes are 192 bits, which 33 characters of base 62 hold; 6 more hold the checksum. */
const SECRET_BYTES = 24;
const SECRET_LENGTH = 33;
const CHECKSUM_LENGTH = 6;
const PREFIX = "cg_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** The public key of the sandbox. No record has it: `_` keeps it and others like it out of {@link KEY_FORM}. */
export const SANDBOX_KEY = "cg_test_PublicSandboxKeyForTryingTheApi0049lkz9";

/** A new API key: `cg_`, 192 random bits and a CRC-32 in base 62, which a double click selects whole. */
export function generateKey(): string {
  const body = PREFIX + encodeBase62(BigInt(`0x${randomBytes(SECRET_BYTES).toString("hex")}`), SECRET_LENGTH);
  return body + computeChecksum(body);
}

/** Whether a text has the form and checksum of a key. Catches typos without a query. */
export function isWellFormedKey(text: string): boolean {
  return KEY_FORM.test(text) && text.endsWith(computeChecksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** SHA-256 in hex, as keys are stored. 192 random bits need no slow hash. */
export function hashKey(key: string): string {
  return hash("sha256", key);
}

/** The part of a key that is shown: `cg_Ab12…9xYz`. */
export function formatKeyHint(key: string): string {
  return `${key.slice(0, PREFIX.length + 4)}…${key.slice(-4)}`;
}

function computeChecksum(body: string): string {
  return encodeBase62(BigInt(crc32(body)), CHECKSUM_LENGTH);
}

function encodeBase62(value: bigint, length: number): string {
  let digits = "";
  for (let rest = value; digits.length < length; rest /= 62n) digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  return digits;
}
