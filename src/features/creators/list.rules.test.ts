import { stringify } from "csv-stringify/browser/esm/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCsv } from "@/core/http/csv";
import { type ListEntry, readList } from "./list.rules";
import { parseInput } from "./references.rules";

const toId = (number: number) => `UC${String(number).padStart(22, "list_")}`;
const toUrl = (number: number) => `https://www.youtube.com/channel/${toId(number)}`;

/** What a list gives, line by line: a channel, `= first line`, `! error` or `- skipped text`. */
function describeList(text: string): [number, string][] {
  return readList(text).entries.map((entry) => [entry.line, describeEntry(entry)]);
}

function describeEntry(entry: ListEntry): string {
  if ("name" in entry) return entry.guessedFrom !== undefined ? `? ${entry.name}` : entry.name;
  if ("error" in entry) return `! ${entry.error}`;
  return "repeats" in entry ? `= ${entry.repeats}` : `- ${entry.text}`;
}

const listNames = (text: string) => describeList(text).map(([, outcome]) => outcome);

describe("text of the box", () => {
  it.each([
    "",
    "gaming",
    "  chess openings ",
    "node.js",
    "24/7 news",
    "UCLA sports",
    "me@example.com",
    "rock @ night",
    "料理",
    "ألعاب 🎮",
  ])("%j is a niche", (text) => expect(parseInput(text)).toEqual({ kind: "niche", niche: text.trim() }));

  it.each(["@some.maker", "＠猫", "youtube.com/Name", "vimeo.com/name", "two\nlines", `track ${toId(1)}, please`])(
    "%j is of channels",
    (text) => expect(parseInput(text).kind).toBe("channels"),
  );
});

describe("list as text", () => {
  it("gives every channel of a line of channels, and of prose", () => {
    expect(
      describeList(`@one.maker, ${toId(2)};youtube.com/@three.maker  @日本語\nBoth @five.maker and @six.maker!`),
    ).toEqual([
      [1, "@one.maker"],
      [1, toId(2)],
      [1, "@three.maker"],
      [1, "@日本語"],
      [2, "@five.maker"],
      [2, "@six.maker"],
    ]);
  });

  it("never takes the first line for a heading when it names a channel", () => {
    expect(listNames("Weather Channel @sunny.maker\nCloud 7 @cloud.maker")).toEqual(["@sunny.maker", "@cloud.maker"]);
  });

  it("finds references in mail, chats and Markdown, bounded by any punctuation", () => {
    const text = [
      "[12.03.26, 14:05:11] Anna: look https://www.youtube.com/@one.maker 😀",
      "12/03/2026, 14:05 - Ben: **@two.maker** or _@three.maker_.",
      `<${toUrl(4)}>, (https://m.youtube.com/@five.maker).`,
      "「@six.maker」と、（@seven.maker）。",
      "- [Eight](http://www.youtube.com/user/OldMaker8) — tools, talks",
      "Nine | Producer | YouTube: youtube.com/@nine.maker | Instagram: @nine.pictures",
      "https://www.google.com/url?q=https%3A%2F%2Fwww.youtube.com%2F%40ten.maker&sa=D",
      "قناة @صانع، جيد",
    ];
    expect(describeList(text.join("\n"))).toEqual([
      [1, "@one.maker"],
      [2, "@two.maker"],
      [2, "@three.maker"],
      [3, toId(4)],
      [3, "@five.maker"],
      [4, "@six.maker"],
      [4, "@seven.maker"],
      [5, "https://www.youtube.com/user/OldMaker8"],
      [6, "@nine.maker"],
      [7, "@ten.maker"],
      [8, "@صانع"],
    ]);
  });

  it("keeps a handle that is only mentioned beside a URL as a skipped line", () => {
    expect(listNames("One youtube.com/@one.maker, friend of @two.maker")).toEqual(["@one.maker", "- @two.maker"]);
  });

  it("tells lines without a channel from channels that are malformed", () => {
    const text = [
      "# Makers",
      "a name",
      "me@example.com",
      "@a",
      `${toId(1)}x`,
      "https://youtu.be/abc",
      "- [C](vimeo.com/c)",
    ];
    expect(listNames(text.join("\n")).map((outcome) => outcome.slice(0, 26))).toEqual([
      "- # Makers",
      "- a name",
      "- me@example.com",
      "! Must be a handle: @ and ",
      "! Must be a channel id: UC",
      "! This is a video: use the",
      "- vimeo.com/c",
    ]);
  });

  it("marks a channel named before, in any form and case, and custom URLs as one guess", () => {
    const guess = "? https://www.youtube.com/c/Some.Maker";
    const text = `@Some.Maker\n${toId(2)}\n\nyoutube.com/@some.maker\n${toUrl(2)}\nyoutube.com/Some.Maker\nyoutube.com/c/some.maker?a`;
    expect(describeList(text)).toEqual([
      [1, "@Some.Maker"],
      [2, toId(2)],
      [4, "= 1"],
      [5, "= 2"],
      [6, guess],
      [7, "= 6"],
    ]);
  });

  it("finds a handle that begins with an underscore, or follows a bullet without a blank", () => {
    expect(listNames(`@_one_\n-@two.maker\n+@three.maker\n/@four.maker\n-${toId(5)}`)).toEqual([
      "@_one_",
      "@two.maker",
      "@three.maker",
      "@four.maker",
      toId(5),
    ]);
  });

  it("finds the id in an address of another site about the platform", () => {
    const text = `https://web.example/2020/${toUrl(1)}\nhttps://mirror.example/channel/${toId(2)}?tab=a\nhttps://a.example/${toId(3)}`;
    expect(listNames(text)).toEqual([toId(1), toId(2), expect.stringMatching(/^- .*a\.example/)]);
  });

  it("skips pages of other sites with their names, alone or beside a channel", () => {
    const text =
      "One youtube.com/@one.maker https://a.example/one, https://b.example/one\nhttps://a.example/x | https://b.example/x";
    expect(readList(text).entries).toMatchObject([
      { line: 1, name: "@one.maker" },
      { line: 1, text: "https://a.example/one", skipped: true, reason: expect.stringContaining("a.example") },
      { line: 1, text: "https://b.example/one", skipped: true, reason: expect.stringContaining("b.example") },
      { line: 2, text: "https://a.example/x", skipped: true, reason: expect.stringContaining("a.example") },
      { line: 2, text: "https://b.example/x", skipped: true, reason: expect.stringContaining("b.example") },
    ]);
  });

  it.each([
    ["# comment @no.no", "? @no.no"],
    [`# ${toUrl(1)}`, `? ${toId(1)}`],
    ["; @no.no", "? @no.no"],
    ["// see @no.no", "? @no.no"],
    ["/* by @no.no */", "? @no.no"],
    ["-- @no.no", "? @no.no"],
    ["@media (max-width: 600px) {", "? @media"],
    ["@import 'base.css';", "? @import"],
    ["@font-face {", "? @font-face"],
    ["@Override", "? @Override"],
    ["@Override\npublic void run() {", "? @Override"],
    ["@dataclass\nclass Point:", "? @dataclass"],
    ["@app.route('/x')", "? @app.route"],
    ["@Component({", "? @Component"],
    [" * @param name of the creator", "? @param"],
    ["@article{knuth,", "? @article"],
    [`## [One](${toUrl(1)})`, toId(1)],
    ["@maker (Maker One)", "@maker"],
    ["* @maker", "@maker"],
    ["#5 @maker", "@maker"],
    ["@maker # the best", "@maker"],
    ["@maker;", "@maker"],
  ])("takes a handle in a comment or in code for a guess: %j", (text, expected) =>
    expect(listNames(`${text}\n@real.maker`).filter((outcome) => !outcome.startsWith("-"))).toEqual([
      expected,
      "@real.maker",
    ]),
  );

  it("offers the names of a list without @ as guesses, but not the words of prose", () => {
    expect(readList("some.maker\n- Cooking_Lab\n@known.maker\n2024\nTwo words").entries).toMatchObject([
      { name: "@some.maker", guessedFrom: "some.maker" },
      { name: "@Cooking_Lab", guessedFrom: "Cooking_Lab" },
      { name: "@known.maker" },
      { text: "2024", skipped: true },
      { text: "Two words", skipped: true },
    ]);
    expect(listNames("Hello\nI like @one.maker.\nAnd this is another line.\nAnd one more.")).toEqual([
      "- Hello",
      "@one.maker",
      "- And this is another line.",
      "- And one more.",
    ]);
  });

  it("says what a guess was guessed from, as it was given", () => {
    expect(readList("youtube.com/c/Some.Maker").entries).toMatchObject([{ guessedFrom: "youtube.com/c/Some.Maker" }]);
    expect(readList("Name,Handle\nOne,one.maker\nTwo,@two.maker").entries[0]).toMatchObject({
      guessedFrom: "one.maker",
    });
    expect(readList("# comment @no.no").entries).toMatchObject([{ guessedFrom: "# comment @no.no" }]);
  });

  it("reads 10,000 lines", () => {
    const names = Array.from({ length: 10_000 }, (_, number) => `@maker.${number}`);
    expect(listNames(names.join("\r\n"))).toEqual(names);
  });
});

describe("list as a table", () => {
  it("takes the channel column of each record, never channels in notes with line breaks", () => {
    const text = `Creator,Link,Notes,List\r\nOne,${toUrl(1)},"met in May\r\n@not.this, they said",A\r\nTwo,${toUrl(2)},"see\r\nhttps://www.youtube.com/@nor.this",\r\n,,@none.here,B`;
    const { entries, columns } = readList(text);
    expect(entries).toMatchObject([
      { line: 2, name: toId(1), note: "met in May\n@not.this, they said", list: "A" },
      { line: 4, name: toId(2) },
      { line: 6, skipped: true },
    ]);
    expect(columns).toEqual({ note: "Notes", list: "List" });
  });

  it.each([
    ["Channel Id,Channel Url,Channel Title", ","],
    ["Kanal-ID;Kanal-URL;Kanaltitel", ";"],
    ["ID des chaînes\tURL des chaînes\tTitres des chaînes", "\t"],
    ["チャンネル ID,チャンネルの URL,チャンネルのタイトル", ","],
    ["id | url | title\n---|:---:|---", " | "],
  ])("reads one channel a record below %j", (heading, separator) => {
    const rows = [1, 2].map((number) =>
      [toId(number), toUrl(number).replace("https", "http"), "A @title"].join(separator),
    );
    expect(listNames([heading, ...rows].join("\n"))).toEqual([toId(1), toId(2)]);
  });

  it("needs no heading, and takes the strongest reference: id, URL, handle", () => {
    const text = `One;@one.maker;youtube.com/@the.one;${toId(1)}\nTwo;@two.maker;youtube.com/@the.two;\nThree;@three.maker;;`;
    expect(listNames(text)).toEqual([toId(1), "@the.two", "@three.maker"]);
  });

  it("keeps channels of further cells as skipped lines", () => {
    const text = "Main channel,Second channel,Contact\n@one.maker,@one.more,x\n@two.maker,,ask @three.maker";
    expect(listNames(text)).toEqual(["@one.maker", "- @one.more", "@two.maker", "- @three.maker"]);
  });

  it("offers names in a column of handles as guesses, as spreadsheets hold them without @", () => {
    const text = `Name,YouTube handle,Note\nOne,one.maker,x\nTwo,@two.maker,\nThree,,maker\nFour,none of these,`;
    expect(listNames(text)).toEqual(["? @one.maker", "@two.maker", "- Three · maker", "- Four · none of these"]);
  });

  it("reads a text with an open quote by line", () => {
    expect(listNames('Name,Link\n"One,@one.maker\nTwo,@two.maker')).toEqual([
      "- Name,Link",
      "@one.maker",
      "@two.maker",
    ]);
  });

  it("gives back the channels of a CSV that the service wrote", () => {
    const rows = ["=Formula", 'a "quoted", name', "two · parts"].map((name, number) => {
      return {
        channel_id: toId(number),
        name,
        handle: `maker.${number}`,
        url: toUrl(number),
        subscribers: 5,
        note: "",
      };
    });
    const csv = formatCsv(rows, ["channel_id", "name", "handle", "url", "subscribers"], { bom: true });
    expect(listNames(csv)).toEqual(rows.map(({ channel_id }) => channel_id));
  });
});

describe("list as JSON or markup", () => {
  it.each([
    ["NewPipe", { subscriptions: [{ service_id: 0, url: toUrl(1), name: "One, @not.this" }] }],
    ["Invidious", { subscriptions: [toId(1)], watch_history: ["abcdefghijk"], preferences: { menu: ["Popular"] } }],
    ["LibreTube", { subscriptions: [{ url: `/channel/${toId(1)}` }] }],
    ["the API's channels", { items: [{ id: toId(1), snippet: { customUrl: "@not.this" }, topics: ["a.example/x"] }] }],
    ["the API's subscriptions", [{ id: "x", snippet: { channelId: toId(2), resourceId: { channelId: toId(1) } } }]],
  ])("reads the export of %s", (_, value) => {
    expect(listNames(JSON.stringify(value))).toEqual([toId(1)]);
    expect(listNames(JSON.stringify(value, null, 2))).toEqual([toId(1)]);
  });

  it.each([
    ["members with different channels", { a: { id: toId(1) }, b: { id: toId(2) } }],
    ["ids as names", { [toId(1)]: { name: "One" }, [toId(2)]: { name: "Two" } }],
    ["links in the prose of chats", [{ text: `see <${toUrl(1)}>, @not.this` }, { text: `and ${toUrl(2)}!` }]],
  ])("finds every channel in %s", (_, value) => {
    expect(listNames(JSON.stringify(value))).toEqual([toId(1), toId(2)]);
  });

  it.each([
    ["NewPipe", { subscriptions: [{ service_id: 0, url: "https://www.youtube.com/channel/UCshort", name: "One" }] }],
    ["FreeTube", { name: "All", subscriptions: [{ id: "UCtooshort0123456789", name: "One" }] }],
    ["Invidious", { subscriptions: ["UCtooshort0123456789"] }],
    ["an app with videos", [{ title: "A talk", url: "https://youtu.be/abcdefghijk" }]],
  ])("names a malformed channel or a video in the export of %s as an error", (_, value) => {
    const [item, ...others] = readList(JSON.stringify(value)).entries;
    expect(item).toMatchObject({ line: 1, text: expect.stringMatching(/UC|youtu\.be/), error: expect.any(String) });
    expect(others).toEqual([]);
  });

  it("adds no channel that only the description of a JSON item links to", () => {
    const video = { title: "A talk", description: `with a friend: ${toUrl(2)}`, url: "https://youtu.be/abcdefghijk" };
    expect(listNames(JSON.stringify([{ id: toId(1) }, video])).filter((name) => !/^[-!]/.test(name))).toEqual([
      toId(1),
    ]);
  });

  it("reads JSON that is nested too deeply as text", () => {
    const depth = 100_000;
    const text = `${"[".repeat(depth)}"${toId(1)}"${"]".repeat(depth)}`;
    expect(listNames(text)).toEqual([toId(1)]);
  });

  it("reads feeds of a channel's uploads", () => {
    const feed = (list: string) => `https://www.youtube.com/feeds/videos.xml?playlist_id=${list}${toId(1).slice(2)}`;
    expect(listNames([feed("UU"), feed("UULF")].join("\n"))).toEqual([toId(1), "= 1"]);
  });

  it("reads FreeTube's export of one JSON object a line", () => {
    const profile = {
      name: "All",
      subscriptions: [1, 2].map((number) => ({ id: toId(number), thumbnail: "https://a.example/b" })),
    };
    expect(listNames(`${JSON.stringify(profile)}\n${JSON.stringify(profile)}`)).toEqual([
      toId(1),
      toId(2),
      "= 1",
      "= 2",
    ]);
  });

  it("reads OPML, with feeds of other sites as skipped lines", () => {
    const feed = `https://www.youtube.com/feeds/videos.xml?channel_id=${toId(1)}`;
    const text = `<opml><body><outline text="A"><outline text="B &amp; C" xmlUrl="${feed}"/><outline title="D" xmlUrl="https://d.example/rss"/></outline></body></opml>`;
    expect(readList(text).entries).toMatchObject([
      { text: "B & C", name: toId(1) },
      { text: "D · https://d.example/rss", skipped: true, reason: expect.stringContaining("d.example") },
    ]);
  });

  it("names a malformed channel of OPML or of a link as an error, and skips other links of a page", () => {
    const opml =
      '<opml><outline text="A"><outline xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UCx"/></outline></opml>';
    expect(listNames(opml)).toEqual([expect.stringMatching(/^! This is a page of YouTube/)]);
    const html = '<a href="https://www.youtube.com/channel/UCx">A</a><a href="https://youtu.be/abc">B</a>';
    expect(listNames(html)).toEqual([expect.stringMatching(/^! Must be a channel id/), "- B · https://youtu.be/abc"]);
  });

  it("reads links and tables of HTML, and Markdown with some tags", () => {
    const row = `<tr><td>Two</td><td><a href="${toUrl(2)}">x</a></td><td>not @this.maker</td></tr>`;
    const html = `<style>@media x{}</style><a href="/@one.maker">@one.maker</a><table>${row}</table>`;
    expect(listNames(html)).toEqual(["@one.maker", toId(2)]);
    const markdown = `<p align="center">Makers</p>\n\n- [One](${toUrl(1)})\n- <${toUrl(2)}>`;
    expect(listNames(markdown)).toEqual(["- Makers", toId(1), toId(2)]);
  });
});

describe("reference in random surroundings", () => {
  const words =
    "maker,Bäckerei,三番,🎮,10%,(live),“quoted”,me@example.com,node.js,and/or,–,x > y,Tom's,a.b.c,UCLA,1.,#5,e.g.,12:30";
  const noise = fc
    .array(fc.constantFrom(...words.split(",")), { maxLength: 6 })
    .map((parts) => parts.join(" "))
    .filter((text) => !/^[\d.: ]*$/.test(text));
  const name = fc.stringMatching(/^[a-z][a-z0-9._-]{3,18}[a-z]$/).map((text) => `@${text}`);
  const id = fc.stringMatching(/^UC[A-Za-z0-9_-]{21}[A-Za-z0-9]$/);
  const reference = fc.oneof(
    name.map((handle) => [handle, handle] as const),
    name.map((handle) => [`https://www.youtube.com/${handle}/videos`, handle] as const),
    id.map((channel) => [channel, channel] as const),
    id.map((channel) => [`youtube.com/channel/${channel}?si=a`, channel] as const),
  );
  const escapeXml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const toCsv = (delimiter: string) => (before: string, text: string, after: string) =>
    stringify(
      [
        ["Name", "Channel", "Notes"],
        [before, text, after],
        [after, "", before],
      ],
      { delimiter },
    );
  const FORMATS: [string, (before: string, text: string, after: string) => string][] = [
    ["a line", (before, text, after) => `${before} ${text} ${after}\n${after}`],
    ["parentheses", (before, text, after) => `${before} (${text}). ${after}`],
    ["a chat", (before, text, after) => `[27.11.26, 09:01:12] Anna: ${before} ${text} ${after}\n09:02 - Ben: ${after}`],
    [
      "a mail signature",
      (before, text, after) => `Jane Doe | Producer\n${before} | YouTube: ${text} | https://a.example/x\n${after}`,
    ],
    ["angle brackets", (before, text, after) => `${before}\n${before} <${text}> ${after}`],
    ["a Markdown list", (before, text, after) => `# ${before}\n\n- [${before}](${text}) – ${after}\n`],
    [
      "a Markdown table",
      (before, text, after) => `| Name | URL | Notes |\n|---|:--|---|\n| ${before} | [${after}](${text}) | ${after} |`,
    ],
    ["CSV", toCsv(",")],
    ["CSV with semicolons", toCsv(";")],
    ["tabs", toCsv("\t")],
    ["JSON", (before, text, after) => JSON.stringify({ version: before, list: [{ name: after, url: text }] })],
    [
      "JSON lines",
      (before, text, after) => `{"a":1}\n${JSON.stringify({ b: [{ name: before, id: text, c: after }] })}`,
    ],
    [
      "OPML",
      (before, text, after) =>
        `<opml><outline text="${escapeXml(before)}" xmlUrl="${escapeXml(text)}"/><outline text="${escapeXml(after)}"/></opml>`,
    ],
    [
      "a table of HTML",
      (before, text, after) =>
        `<table><tr><td>${escapeXml(before)}</td><td><a href="${escapeXml(text)}">x</a></td><td>${escapeXml(after)}</td></tr></table>`,
    ],
    [
      "HTML",
      (before, text, after) => `<p>${escapeXml(before)}<li>${escapeXml(text)}</li><b>${escapeXml(after)}</b></p>`,
    ],
  ];
  const listCertain = (text: string) => listNames(text).filter((outcome) => !/^[-?]/.test(outcome));

  it.each(FORMATS)("is found once in %s, where a text without one adds nothing", (_, format) => {
    fc.assert(
      fc.property(noise, reference, noise, (before, [text, expected], after) => {
        expect(listCertain(format(before, text, after))).toEqual([expected]);
        expect(listCertain(format(before, "nothing", after))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
