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
    [
      "a backup whose watch history and playlists have other channels",
      JSON.stringify({
        watchHistory: [{ videoId: "dQw4w9WgXcQ", uploaderUrl: `/channel/${toId(8)}` }],
        localSubscriptions: [{ channelId: toId(1) }, { channelId: toId(2) }],
        channelGroups: [{ name: "News", channels: [toId(1)] }],
        playlistBookmarks: [{ playlistId: "PLa", uploaderUrl: `/channel/${toId(9)}` }],
      }),
      [toId(1), toId(2)],
    ],
    [
      "JSON whose subscriptions are none of channels",
      JSON.stringify({ subscriptions: [{ plan: "pro" }], channels: [{ id: toId(1) }, { id: toId(2) }] }),
      [toId(1), toId(2)],
    ],
    ["a text with stray zeros", `@one\0.maker\n\0${toUrl(2)}\0`, ["@one.maker", toId(2)]],
    ["JSON of names with their ids", JSON.stringify({ One: toId(1), Two: toId(2) }), [toId(1), toId(2)]],
    ["JSON of names", JSON.stringify(["one.maker", "@two.maker", "Maker Three"]), ["? @one.maker", "@two.maker"]],
    [
      "JSON by handle",
      JSON.stringify({ "@one.maker": { subscribers: 1 }, "@two.maker": {} }),
      ["@one.maker", "@two.maker"],
    ],
    [
      "a board, whose cards describe their channels",
      JSON.stringify({
        cards: [{ name: "One", desc: `see ${toUrl(1)}, @not.this`, url: "https://board.example/c/1" }],
      }),
      [toId(1)],
    ],
    [
      "the page of subscriptions as copied",
      "Maker One\n@one.maker•12.3M subscribers\nWith my friend @friend.maker\nSubscribed\n@two.maker‧950 subscribers‧45 videos\n@sol·y·luna",
      ["@one.maker", "? @friend.maker", "@two.maker", "@sol·y·luna"],
    ],
    [
      "ids of lists of uploads",
      `UU${toId(1).slice(2)}\nUULF${toId(2).slice(2)}\nUU${toId(1).slice(2)}`,
      [toId(1), toId(2), "="],
    ],
    [
      "links that others wrap",
      [
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.youtube.com%2F%40one.maker&h=AT",
        "https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fwww.youtube.com%2F%40two.maker",
        "https://consent.youtube.com/m?continue=https://www.youtube.com/@three.maker?cbrd=1&gl=DE",
        "https://web.archive.org/web/2020/https://www.youtube.com/@four.maker",
        "https://href.example/?https://www.youtube.com/@five.maker",
        `https://accounts.example/Login?continue=${encodeURIComponent("https://www.youtube.com/signin?next=%2F%40six.maker")}`,
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ&from=https://a.example/",
      ].join("\n"),
      [
        "@one.maker",
        "@two.maker",
        "@three.maker",
        "@four.maker",
        "@five.maker",
        "@six.maker",
        "! https://www.youtube.com/watch?v=dQw4w9WgXcQ&from=https://a.example/",
      ],
    ],
    [
      "domains of countries",
      `https://www.youtube.de/@one.maker\nyoutube.co.uk/user/OldMaker9\nyoutube.com.br/channel/${toId(3)}`,
      ["@one.maker", "https://www.youtube.com/user/OldMaker9", toId(3)],
    ],
    [
      "addresses without their beginning, and two in one",
      `www.youtube,com/@one.maker\nyoutube/@two.maker\n${toUrl(1)}${toUrl(2)}`,
      ["! com/@one.maker", "! youtube/@two.maker", `! ${toUrl(1)}${toUrl(2)}`],
    ],
    [
      "escapes of Markdown, code and RTF",
      ["- @one\\_maker", '"@two.maker\\nhttps:\\/\\/www.youtube.com\\/@three.maker"', "\\pard @four.maker\\par"].join(
        "\n",
      ),
      ["@one_maker", "@two.maker", "@three.maker", "@four.maker"],
    ],
    ["an id with a letter of another script", `${toId(1).slice(0, -1)}О`, [`! ${toId(1).slice(0, -1)}О`]],
    [
      "a chat that calls its people",
      `Anna — Today at 10:12\n@two.maker is good\nBen Smith  10:13 AM\n@Anna thanks! @everyone ${toUrl(1)}\n@anna @bensmith`,
      ["@two.maker", toId(1), "? @anna", "? @bensmith"],
    ],
    [
      "a chat with times before its people",
      "[27.11.26, 09:01:12] Anna: @one.maker\n[27.11.26, 09:02:12] Ben: @Anna thanks",
      ["@one.maker", "? @Anna"],
    ],
    [
      "a chat with the time before each sender",
      "[27/11 10:12] Anna Smith\n@one.maker\n[27/11 10:13] Ben\n@Anna Smith thanks",
      ["@one.maker", "? @Anna"],
    ],
    ["names below a heading", "handle\none.maker\ntwo.maker", ["? @one.maker", "? @two.maker"]],
    ["names that begin as a heading does", "linkedmakers\ntwo.maker", ["? @linkedmakers", "? @two.maker"]],
    [
      "user names without @, and cells without a name",
      `Username,Profile URL\none.maker,${toUrl(1)}\n@ two.maker,\nnull,\nthree.maker,`,
      [toId(1), "? @two.maker", "? @three.maker"],
    ],
    [
      "columns of other networks and of titles",
      `YouTube,X handle,Instagram,Video title\n@one.maker,@one.x,@one.insta,with @friend\n,@two.x,,`,
      ["@one.maker"],
    ],
    ["a table without a column of channels", "Content,Video title\nTotal,\nabc,Talk with @two.maker\nx,y", []],
    [
      "a column of networks",
      "Platform,Handle\nYouTube,@one.maker\nTikTok,@two.tok\nInstagram,three.insta",
      ["@one.maker"],
    ],
    [
      "prose that says the network after the handle",
      "@one.insta (Instagram)\n@two.x on Twitter\nbsky: @three.bsky.social\n@four.maker (Instagram: @four.insta)",
      ["@four.maker"],
    ],
    [
      "a table with separators in its texts",
      `Name,Link,Notes\nOne, the maker,${toUrl(1)},x\nTwo,${toUrl(2)},good, really`,
      [toId(1), toId(2)],
    ],
    [
      "bookmarks whose text names another handle",
      `<dl><dt><a href="${toUrl(1)}">One (@not.this) - YouTube</a><dt><a href="/@two.maker">@two.maker</a> and @three.maker</dl>`,
      [toId(1), "@two.maker", "@three.maker"],
    ],
    [
      "addresses before the name of another network",
      "https://www.youtube.com/@one.maker (Twitch)\nyoutube.com/@two.maker on Twitter",
      ["@one.maker", "@two.maker"],
    ],
    [
      "a row whose only cell is an address in the column of names",
      `Name,URL\nOne,${toUrl(1)}\nhttps://www.youtube.com/@two,\n@friend,\n${toId(3)},`,
      [toId(1), "@two", toId(3)],
    ],
    [
      "handles in rows whose cells have moved",
      `Name,Link,Notes\nOne,${toUrl(1)},x\nTwo,,talked with @friend, nice`,
      [toId(1), "? @friend"],
    ],
    [
      "columns of two other networks",
      "Twitter/X handle,IG/TikTok handle,YouTube\n@one.x,@one.ig,@one.maker",
      ["@one.maker"],
    ],
    [
      "a column of networks with YouTube among others",
      'Platform,Handle\nYT & Instagram,@one.maker\n"Twitch, YT",@two.maker\nTwitch,@three.live',
      ["@one.maker", "@two.maker"],
    ],
    [
      "a table with a time in its notes",
      `Name,Link,Notes\nOne,${toUrl(1)},"met\n10:30 - call Anna"\nTwo,${toUrl(2)},see https://www.youtube.com/@not.this`,
      [toId(1), toId(2)],
    ],
    [
      "a table with a column of times",
      `Time,Name,Link,Friend\n[10:00],Anna,@one.maker,@not.this\n[11:00],Ben,@two.maker,`,
      ["@one.maker", "@two.maker"],
    ],
    ["a chat below a heading", `Our makers\n[27.11.26, 09:01] Anna: ${toUrl(1)}, @not.this`, [toId(1)]],
    ["a table of titles in French", "Contenu,Titre de la vidéo\nabc,Avec @not.this", []],
    [
      "handles with counts beside links with words",
      `@one.maker · 12\n@two.maker · 15\nThree ${toUrl(3)}\nsee @friend`,
      ["@one.maker", "@two.maker", toId(3), "? @friend"],
    ],
    ["a line that ends in a time", "Maker talk 12:34\n@maker\n@two.maker", ["@maker", "@two.maker"]],
    [
      "JSON-LD",
      JSON.stringify({ "@graph": [{ "@type": "Person", "@id": "#one", sameAs: toUrl(1) }, { url: toUrl(2) }] }),
      [toId(1), toId(2)],
    ],
    [
      "long runs of one character",
      [
        "@one.maker",
        `${"_".repeat(100_000)}@not.this`,
        `https://a.example/@${"!".repeat(100_000)}x`,
        `https://${"a".repeat(100_000)}`,
        `${'"'.repeat(100_000)}x`,
        `twitch${" ".repeat(100_000)}x`,
        `__@two.maker__${".".repeat(100_000)}`,
      ].join("\n"),
      ["@one.maker", "@two.maker"],
    ],
  ])("gives its channels: %s", (_, text, expected) => expect(listNames(text)).toEqual(expected));

  it("keeps the note of a row whole, and none of a row whose cells have moved", () => {
    const usual = `\nThree,${toUrl(3)},a\nFour,${toUrl(4)},b`;
    const text = `Name,Link,Notes\nOne, the maker,${toUrl(1)},x\nTwo,${toUrl(2)},good, really${usual}`;
    const notes = readList(text).entries.map(({ note }) => note);
    expect(notes).toEqual([undefined, "good, really", "a", "b"]);
  });

  it("names what it leaves out, and why", () => {
    const reasons = (text: string) =>
      readList(text).entries.flatMap((entry) => ("skipped" in entry ? [`${entry.text} · ${entry.reason}`] : []));
    const backup = { subscriptions: [toId(1)], history: [{ id: toId(8) }] };
    expect(reasons(JSON.stringify(backup))).toEqual([`${toId(8)} · Not among the subscriptions`]);
    expect(reasons(JSON.stringify([toUrl(1), "https://rumble.example/c/x"]))).toEqual([
      expect.stringContaining("a page of rumble.example"),
    ]);
    expect(reasons("Platform,Handle\nYouTube,@one.maker\nTikTok,@two.tok")).toEqual([
      "TikTok · @two.tok · A handle of TikTok",
    ]);
    expect(reasons(`YouTube,X handle\n@one.maker,@one.x\n,@two.x`).slice(0, 1)).toEqual([
      "@one.x · Not in the column of channels",
    ]);
    expect(reasons("Main channel,Second channel\n@one.maker,@one.more")).toEqual([
      "@one.more · Another channel of this row",
    ]);
    expect(reasons(`<a href="${toUrl(1)}">One (@not.this)</a>`)).toEqual([
      "One (@not.this) · Mentioned beside another channel",
    ]);
  });
});
