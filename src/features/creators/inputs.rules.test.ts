import { describe, expect, it } from "vitest";
import { type ListEntry, readList } from "./list.rules";

const toId = (number: number) => `UC${String(number).padStart(22, "list_")}`;
const toUrl = (number: number) => `https://www.youtube.com/channel/${toId(number)}`;

function describeEntry(entry: ListEntry): string {
  if ("name" in entry) return entry.guessedFrom === undefined ? entry.name : `? ${entry.name}`;
  return "error" in entry ? `! ${entry.text}` : "repeats" in entry ? "=" : "-";
}

const listNames = (text: string) =>
  readList(text)
    .entries.map(describeEntry)
    .filter((name) => name !== "-");

const BIDI = ["\u202b", "\u202c", "\u200f"] as const;

describe("list of an app", () => {
  it.each<[string, string, string[]]>([
    [
      "Takeout in German",
      `Kanal-ID,Kanal-URL,Kanaltitel\n${toId(1)},http://www.youtube.com/channel/${toId(1)},"Eins, @zwei"\n${toId(2)},${toUrl(2)},Zwei`,
      [toId(1), toId(2)],
    ],
    [
      "Takeout in Japanese",
      `チャンネル ID,チャンネルの URL,チャンネルのタイトル\n${toId(1)},${toUrl(1)},一番 @二番`,
      [toId(1)],
    ],
    [
      "tabs with quoted line breaks",
      `Name\tLink\tNotes\nOne\t${toUrl(1)}\t"first\n@not.this\n\tmore"\nTwo\t${toUrl(2)}\t"a ""quoted"" @not.that"`,
      [toId(1), toId(2)],
    ],
    [
      "Telegram as JSON",
      JSON.stringify({
        name: "Makers",
        type: "private_group",
        id: 1,
        messages: [
          { id: 1, type: "message", from: "Anna", text: ["look ", { type: "link", text: toUrl(1) }, " nice"] },
          { id: 2, type: "message", from: "Ben", text: "and https://www.youtube.com/@two.maker, too" },
          { id: 3, type: "message", from: "Cleo", text: "thanks @anna" },
        ],
      }),
      [toId(1), "@two.maker"],
    ],
    [
      "Telegram as HTML",
      `<div class="from_name">Anna</div><div class="text">look <a href="${toUrl(1)}">${toUrl(1)}</a></div>`,
      [toId(1)],
    ],
    [
      "WhatsApp",
      `[27.11.26, 09:01:12] Anna: ${toUrl(1)}?si=x\n\u200e[27.11.26, 09:02:00] Ben: \u200e<attached: 1-PHOTO.jpg>\n11/27/26, 9:03 AM - Cleo: https://youtube.com/@two.maker?feature=shared 👍`,
      [toId(1), "@two.maker"],
    ],
    [
      "Markdown with parentheses",
      `- [One (official)](${toUrl(1)}) (weekly)\n- [Two](https://www.youtube.com/@two.maker "Two (talks)")\n- [Three [live]](<https://www.youtube.com/@three.maker>)`,
      [toId(1), "@two.maker", "@three.maker"],
    ],
    [
      "handles from right to left",
      `${BIDI[0]}@צליל.חדש${BIDI[1]}\n${BIDI[2]}@صانع_واحد\nقناة: @می\u200cخواهم`,
      ["@צליל.חדש", "@صانع_واحد", "@می\u200cخواهم"],
    ],
    [
      "pages with a query",
      "https://youtube.com/@one.maker/videos?view=0&sort=p\nm.youtube.com/@two.maker/about?app=desktop",
      ["@one.maker", "@two.maker"],
    ],
    [
      "percent-encoded handles",
      "https://www.youtube.com/@%E3%83%86%E3%82%B9%E3%83%88\nhttps://www.youtube.com/%40two.maker\nhttps://www.youtube.com/@caf%C3%A9.maker/featured",
      ["@テスト", "@two.maker", "@café.maker"],
    ],
    [
      "short links, Shorts and live videos",
      "https://youtu.be/dQw4w9WgXcQ?t=1\nhttps://www.youtube.com/shorts/dQw4w9WgXcQ\nyoutube.com/live/dQw4w9WgXcQ\nhttps://www.youtube.com/@one.maker/shorts",
      [
        "! https://youtu.be/dQw4w9WgXcQ?t=1",
        "! https://www.youtube.com/shorts/dQw4w9WgXcQ",
        "! youtube.com/live/dQw4w9WgXcQ",
        "@one.maker",
      ],
    ],
    [
      "ids in another case",
      `${toId(1).toLowerCase()}\n${toUrl(2).replace("UC", "Uc")}\n${toId(3)}`,
      [`! ${toId(1).toLowerCase()}`, `! ${toUrl(2).replace("UC", "Uc")}`, toId(3)],
    ],
    [
      "OPML with nested folders",
      `<?xml version="1.0"?><opml version="2.0"><head><title>Feeds</title></head><body><outline text="A"><outline text="B"><outline text="One" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=${toId(1)}"/></outline><outline text="Two" htmlUrl="${toUrl(2)}" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=${toId(2)}"/></outline><outline text="Blog" xmlUrl="https://blog.example/rss"/></body></opml>`,
      [toId(1), toId(2)],
    ],
    [
      "a mail signature",
      "Best,\nJane Doe | Producer\nhttps://twitter.com/jane · https://www.instagram.com/jane/ · https://www.linkedin.com/in/jane\nYouTube: youtube.com/@jane.maker | jane@example.com",
      ["@jane.maker"],
    ],
    ["a sheet that names its separator", `sep=;\r\nName;Channel\r\nOne;${toUrl(1)}\r\n`, [toId(1)]],
    [
      "quoted cells with a trailing separator",
      `"Name","URL",\n"One","${toUrl(1)}",\n"Two","https://www.youtube.com/@two.maker",`,
      [toId(1), "@two.maker"],
    ],
    [
      "a numbered list",
      `1. @one.maker\n2) @two.maker\n(3) @three.maker\n4: ${toUrl(4)}`,
      ["@one.maker", "@two.maker", "@three.maker", toId(4)],
    ],
    [
      "a batch file with comments",
      `# my channels\n${toUrl(1)}\n# ${toUrl(2)}\n; @old.maker\nhttps://www.youtube.com/@three.maker/videos # weekly`,
      [toId(1), `? ${toId(2)}`, "? @old.maker", "@three.maker"],
    ],
    [
      "lines of SQL",
      `INSERT INTO channels VALUES ('${toId(1)}', '@one.maker');\n-- @not.this`,
      [toId(1), "? @not.this"],
    ],
    [
      "YAML",
      `channels:\n  - id: ${toId(1)}\n    name: One\n  - url: "https://www.youtube.com/@two.maker"`,
      [toId(1), "@two.maker"],
    ],
    [
      "JSON of a video with its channel",
      JSON.stringify([{ videoId: "dQw4w9WgXcQ", title: "x", author: "One", authorId: toId(1) }]),
      [toId(1)],
    ],
  ])("gives its channels: %s", (_, text, expected) => expect(listNames(text)).toEqual(expected));
});
