import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compressReply } from "./compress";

const TEXT = JSON.stringify({ creators: Array.from({ length: 100 }, (_, number) => `creator ${number}`) });
const REPLY = { status: 200, headers: { ETag: '"abc"', Vary: "X-API-Key" }, body: TEXT };

function compress(accepted: string | undefined, reply: Parameters<typeof compressReply>[0] = REPLY) {
  const request = new IncomingMessage(new Socket());
  if (accepted !== undefined) request.headers["accept-encoding"] = accepted;
  return compressReply(reply, request);
}

describe("compressReply", () => {
  it.each([
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["br;q=0.1, gzip", "br", brotliDecompressSync],
    ["*", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip;q=0.5", "gzip", gunzipSync],
  ])(
    "compresses for a client that accepts %s with %s, under a tag of its own",
    async (accepted, coding, decompress) => {
      const { headers, body } = await compress(accepted);
      expect(headers).toEqual({
        ETag: `"abc-${coding}"`,
        Vary: "X-API-Key, Accept-Encoding",
        "Content-Encoding": coding,
      });
      if (!Buffer.isBuffer(body)) throw new Error("the body is not compressed");
      expect(body.length).toBeLessThan(TEXT.length / 2);
      expect(decompress(body).toString()).toBe(TEXT);
    },
  );

  it.each([undefined, "", "identity", "deflate", "br;q=0, gzip;q=0"])(
    "sends the text to a client that accepts %s, and says that others get another form",
    async (accepted) => {
      const { headers, body } = await compress(accepted);
      expect(body).toBe(TEXT);
      expect(headers).toEqual({ ETag: '"abc"', Vary: "X-API-Key, Accept-Encoding" });
    },
  );

  it.each(["{}", null])("leaves a short body as it is: %s", async (body) => {
    const reply = { ...REPLY, body };
    expect(await compress("br", reply)).toBe(reply);
  });
});
