import { expect, requireValue, test } from "../fixtures";
import { getBaseUrl, PORT } from "../product";

test.describe("caching", () => {
  test("compresses long answers of the API with Brotli or gzip, each form with its own entity tag", async ({ api }) => {
    const fetchTrack = async (coding: string) => {
      const headers = { "X-API-Key": api.key, "Accept-Encoding": coding };
      const response = await fetch(`${getBaseUrl(PORT)}/api/track`, { headers });
      return { response, body: await response.json() };
    };
    const { creators } = await api.growth.discover({ niche: "gaming", limit: 5 });
    for (const { channel_id } of creators) await api.growth.track(channel_id);
    const plain = await fetchTrack("identity");
    const etag = requireValue(plain.response.headers.get("etag"));
    for (const coding of ["br", "gzip"]) {
      const { response, body } = await fetchTrack(coding);
      expect(response.headers.get("content-encoding")).toBe(coding);
      expect(response.headers.get("vary")).toBe("X-API-Key, Accept-Encoding");
      expect(response.headers.get("etag")).toBe(etag.replace(/"$/, `-${coding}"`));
      expect(body).toEqual(plain.body);
    }
    expect(
      (await api.get("/api/usage", { headers: { "Accept-Encoding": "br" } })).headers.get("content-encoding"),
    ).toBe(null);
  });

  test("answers 304 without a body while nothing has changed, and counts it", async ({ api }) => {
    const etag = requireValue((await api.get("/api/track")).headers.get("etag"));
    const known = await api.get("/api/track", { headers: { "If-None-Match": etag } });
    expect([known.status, known.text, known.headers.get("etag")]).toEqual([304, "", etag]);
    expect(known.headers.get("x-ratelimit-remaining")).toBe("48");
    await api.growth.track("@juniperfivecrits");
    expect((await api.get("/api/track", { headers: { "If-None-Match": etag } })).status).toBe(200);
    expect((await api.get("/api/usage")).body.requests_today).toBe(5);
  });

  test("answers 304 for documents, compressed or not", async () => {
    for (const path of ["/api/openapi.json", "/llms.txt", "/docs/caching.md", "/changelog.xml"]) {
      for (const coding of ["identity", "br"]) {
        const ask = async (etag = "") => {
          const headers = { "Accept-Encoding": coding, "If-None-Match": etag };
          const { status, headers: received, body } = await fetch(`${getBaseUrl(PORT)}${path}`, { headers });
          await body?.cancel();
          return { status, etag: requireValue(received.get("etag")) };
        };
        const first = await ask();
        expect([path, first.status, (await ask(first.etag)).status]).toEqual([path, 200, 304]);
      }
    }
  });

  test("lets pages of any site read what needs no key, and nothing else", async ({ api }) => {
    const readOrigin = async (path: string) => {
      const response = await fetch(`${getBaseUrl(PORT)}${path}`, { headers: { "X-API-Key": api.key } });
      await response.body?.cancel();
      return [path, response.status, response.headers.get("access-control-allow-origin")];
    };
    for (const path of ["/api/openapi.json", "/api/health", "/api/status", "/api/status/badge.svg", "/client.tgz"])
      expect(await readOrigin(path)).toEqual([path, 200, "*"]);
    expect(await readOrigin("/api/track")).toEqual(["/api/track", 200, null]);
  });
});
