import { describe, expect, it } from "vitest";
import { parseChannelReference } from "./rules";

const ID = `UC${"a1_-".repeat(5)}xy`;

describe("parseChannelReference", () => {
  it.each([
    ID,
    `  ${ID} `,
    `https://www.youtube.com/channel/${ID}`,
    `http://youtube.com/channel/${ID}/videos?view=0#top`,
    `m.youtube.com/channel/${ID}`,
    `https://music.youtube.com/channel/${ID}?feature=share`,
    `HTTPS://YouTube.com/channel/${ID}`,
  ])("finds the id in %j", (text) => expect(parseChannelReference(text)).toEqual({ kind: "id", id: ID }));

  it.each([
    ["@some.maker", "@some.maker"],
    ["@some.maker/videos", "@some.maker"],
    ["https://www.youtube.com/@some.maker/shorts", "@some.maker"],
    ["youtube.com/%40some.maker?si=abc", "@some.maker"],
    ["youtube.com/@%E6%97%A5%E6%9C%AC%E8%AA%9E", "@日本語"],
    ["https://www.youtube.com/c/SomeMaker", "@SomeMaker"],
  ])("finds the handle in %j", (text, handle) =>
    expect(parseChannelReference(text)).toEqual({ kind: "handle", handle }),
  );

  it("finds a user name", () => {
    expect(parseChannelReference("https://www.youtube.com/user/OldMaker9")).toEqual({
      kind: "username",
      username: "OldMaker9",
    });
  });

  it.each([
    "",
    "@",
    "@ab",
    "UCshort",
    "some maker",
    `https://youtube.com.evil.example/channel/${ID}`,
    `https://evil.example/youtube.com/channel/${ID}`,
    `https://www.youtube.com@evil.example/channel/${ID}`,
    `https://user:pw@www.youtube.com/channel/${ID}`,
    `https://www.youtube.com:8443/channel/${ID}`,
    `ftp://www.youtube.com/channel/${ID}`,
    `javascript:alert(1)//youtube.com/channel/${ID}`,
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://www.youtube.com/",
    "https://www.youtube.com/channel/",
    "https://www.youtube.com/@%E0%A4%A",
    `${ID}\u0000`,
  ])("refuses %j", (text) => expect(parseChannelReference(text)).toBeNull());
});
