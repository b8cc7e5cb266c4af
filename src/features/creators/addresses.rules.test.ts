import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANNEL_PATTERN, describeProblem, parseReference } from "./addresses.rules";

const ID = `UC${"a1_-".repeat(5)}xy`;
const PATTERN = new RegExp(CHANNEL_PATTERN, "u");
const isChannel = (text: string) => !["other", "none"].includes(parseReference(text).kind);

describe("parseReference", () => {
  it.each([
    ID,
    `  ${ID} `,
    `https://www.youtube.com/channel/${ID}`,
    `http://youtube.com/channel/${ID}/videos?view=0#top`,
    `//m.youtube.com/channel/${ID}`,
    `https://music.youtube.com/channel/${ID}?feature=share`,
    `https://studio.youtube.com/channel/${ID}/analytics`,
    `HTTPS://YouTube.com/Channel/${ID}`,
    `youtube.com/${ID}`,
    `youtube.com/c/${ID}`,
    `https://www.youtube.com/feeds/videos.xml?channel_id=${ID}`,
    `https://www.youtube.com/playlist?list=UU${ID.slice(2)}`,
    `https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=UU${ID.slice(2)}`,
    `https://www.youtube.com/playlist?list=UULF${ID.slice(2)}`,
    `https://www.youtube.com/embed/live_stream?channel=${ID}&autoplay=1`,
    `https://www.youtube-nocookie.com/embed/live_stream?channel=${ID}`,
    `https://www.youtube.com/embed/videoseries?list=UU${ID.slice(2)}`,
    `https://music.youtube.com/browse/${ID}`,
    `https://www.youtube.com/subscribe_embed?channelid=${ID}`,
    `https://www.youtube.com/attribution_link?a=x&u=%2Fchannel%2F${ID}%3Ffeature%3Dshare`,
    `https://www.youtube.com/signin?next=%2Fchannel%2F${ID}`,
    `https://www.youtube.com/signin?next=/feeds/videos.xml?channel_id=${ID}`,
  ])("finds the id in %j", (text) => expect(parseReference(text)).toEqual({ kind: "id", id: ID }));

  it.each([
    ["@some.maker", "@some.maker"],
    ["＠some.maker", "@some.maker"],
    ["@some.maker/videos", "@some.maker"],
    ["@some.maker?si=abc", "@some.maker"],
    ["https://www.youtube.com/@some.maker/shorts", "@some.maker"],
    ["https://www.youtube.com/@some.maker/community?lb=Ugk", "@some.maker"],
    ["youtube.com/%40some.maker?si=abc", "@some.maker"],
    ["youtube.com/%EF%BC%A0some.maker", "@some.maker"],
    ["youtube.com/c/@some.maker", "@some.maker"],
    ["youtube.com/channel/@some.maker", "@some.maker"],
    ["youtube.com/@%E6%97%A5%E6%9C%AC%E8%AA%9E", "@日本語"],
    ["@猫", "@猫"],
    ["@一二", "@一二"],
    ["@sol·y·luna", "@sol·y·luna"],
    ["@cafe\u0301", "@café"],
    ["@صانع.واحد", "@صانع.واحد"],
    ["@می\u200cخواهم", "@می\u200cخواهم"],
    [`@${"a".repeat(30)}`, `@${"a".repeat(30)}`],
  ])("finds the handle in %j", (text, handle) => expect(parseReference(text)).toEqual({ kind: "handle", handle }));

  it.each([
    "https://www.youtube.com/user/OldMaker9",
    "youtube.com/user/OldMaker9/videos?flow=grid",
    "https://www.youtube.com/feeds/videos.xml?user=OldMaker9",
    "http://gdata.youtube.com/feeds/api/users/OldMaker9/uploads",
    "https://www.youtube.com/subscription_center?add_user=OldMaker9",
  ])("finds the user name in %j", (text) =>
    expect(parseReference(text)).toEqual({ kind: "username", username: "OldMaker9" }),
  );

  it.each([
    "https://www.youtube.com/c/Some.Maker",
    "youtube.com/Some.Maker/videos",
    "https://m.youtube.com/Some.Maker?sub_confirmation=1",
  ])("takes the name in the custom URL %j for a handle only as a guess", (from) =>
    expect(parseReference(from)).toEqual({ kind: "guess", handle: "@Some.Maker", from }),
  );

  it.each([
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "a video"],
    ["https://youtu.be/dQw4w9WgXcQ?si=a", "a video"],
    ["youtube.com/shorts/dQw4w9WgXcQ", "a video"],
    ["https://www.youtube.com/live/dQw4w9WgXcQ", "a video"],
    ["https://www.youtube.com/playlist?list=PL123", "a playlist"],
    ["https://www.youtube.com/feeds/videos.xml?playlist_id=PL123", "a playlist"],
    ["https://www.youtube.com/results?search_query=@maker", "a search"],
    ["https://www.youtube.com/", "a page of YouTube"],
    ["https://www.youtube.com/feed/subscriptions", "a page of YouTube"],
    ["https://www.youtube.com/Premium", "a page of YouTube"],
    ["https://www.youtube.com/@%E0%A4%A", "a page of YouTube"],
    ["https://www.youtube.com/channel/", "must be a channel id"],
    [`${ID}x`, "must be a channel id"],
    [ID.toLowerCase(), "must be a channel id"],
    [`${ID.slice(0, -1)}О`, "must be a channel id"],
    ["https://www.youtube.com/signin?next=%2Fwatch%3Fv%3Dx", "a page of YouTube"],
    ["http://www.youtube.com/xml/schemas/2015", "a page of YouTube"],
    ["@ab", "must be a handle"],
    ["@", "must be a handle"],
    ["@maker/core", "must be a handle"],
    [`@${"a".repeat(31)}`, "must be a handle"],
    ["@maker@example.social", "must be a handle"],
    ["youtube.com/@a", "must be a handle"],
    ["youtube.com/c/ab", "a custom URL that cannot be resolved"],
    ["https://vimeo.com/@maker", "a page of vimeo.com"],
    ["vimeo.com/maker", "a page of vimeo.com"],
    ["https://youtube.com.evil.example/@maker", "a page of youtube.com.evil.example"],
    ["https://www.youtube.com@evil.example/@maker", "a page of evil.example"],
    ["https://user:pw@www.youtube.com/@maker", "a page of www.youtube.com"],
    ["https://www.youtube.com:8443/@maker", "a page of www.youtube.com"],
    [`https://mirror.example/channel/${ID}`, "a page of mirror.example"],
    [`https://mirror.example/channel/${ID}x`, "a page of mirror.example"],
    [`https://mirror.example/${ID}`, "a page of mirror.example"],
    [`ftp://www.youtube.com/channel/${ID}`, "a page of www.youtube.com"],
  ])("says what %j is", (text, problem) => {
    expect(parseReference(text)).toMatchObject({ kind: "other" });
    expect(describeProblem(text)).toContain(problem);
  });

  it("follows a link to sign in to one page only, however many are within it", () => {
    const nested = "/signin?next=".repeat(20_000);
    expect(parseReference(`https://www.youtube.com${nested}/@some.maker`)).toMatchObject({ fault: "page" });
  });

  it.each(["", "some maker", "node.js", "UCLA", `${ID}\u0000`, `javascript:alert(1)//youtube.com/channel/${ID}`])(
    "finds nothing in %j",
    (text) => expect(parseReference(text)).toEqual({ kind: "none" }),
  );

  it("offers a word that can be a handle as a handle", () => {
    expect(describeProblem(" some.maker ")).toContain("Did you mean @some.maker?");
    expect(describeProblem("some maker")).not.toContain("Did you mean");
    expect(describeProblem(`UU${ID.slice(2)}`)).toContain(`Did you mean ${ID}?`);
  });
});

describe("published pattern of a channel", () => {
  const characters = fc.constantFrom(..."ab1._-·・猫あ한é́صע @＠/?#,:;\"'|—。()\u200c\u200f\u0000UC", "👾", "𠮷");
  const name = fc.oneof(fc.string({ unit: characters, maxLength: 34 }), fc.string({ unit: "binary", maxLength: 34 }));
  const mirrors = ["https://a.example/", "HTTP://a/", "https:///", "ftp://a.example/"].flatMap((host) => [
    `${host}channel/${ID}`,
    `${host}feed?channel_id=${ID}`,
  ]);
  const prefix = fc.constantFrom("", "@", "＠", "UC", " @", "@@", "@猫", ...mirrors);
  const suffix = fc.constantFrom("", "/videos", "/core", "?si=a", "/about?x", " ");

  it("agrees with the service on every string that is no URL of the platform", () => {
    const texts = fc.tuple(prefix, name, suffix).map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        expect(PATTERN.test(text)).toBe(isChannel(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("allows every URL that the service accepts", () => {
    const hosts = fc.constantFrom("youtube.com", "https://www.youtube.com", "HTTP://M.YouTube.com", "//de.youtube.com");
    const pages = fc.constantFrom(
      "/",
      "/@",
      "/c/",
      "/user/",
      `/channel/${ID}`,
      "/channel/@",
      "/feeds/videos.xml?user=",
    );
    fc.assert(
      fc.property(hosts, pages, name, (host, page, rest) => {
        const url = `${host}${page}${rest}`;
        return PATTERN.test(url) || !isChannel(url);
      }),
      { numRuns: 2000 },
    );
  });
});
