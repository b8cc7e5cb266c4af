import type { SampleCreator } from "./sample-creators";

/** The further niches of the sample platform, with words for the names of their creators. */
const NICHE_WORDS: Readonly<Record<string, string>> = {
  esports: "Clutch Scrim Bracket Respawn Overtime",
  chess: "Gambit Endgame Rook Zugzwang Castling",
  animation: "Keyframe Tween Inkwell Storyboard Flipbook",
  programming: "Semicolon Refactor Stacktrace Lambda Compiler",
  "artificial intelligence": "Gradient Token Neuron Tensor Prompt",
  robotics: "Servo Gripper Actuator Gyro Rover",
  cybersecurity: "Firewall Cipher Sandbox Honeypot Passphrase",
  history: "Papyrus Chronicle Aqueduct Scriptorium Bronze",
  books: "Paperback Marginalia Dustjacket Chapter Foreword",
  astronomy: "Nebula Perihelion Starfield Dobsonian Eclipse",
  "personal finance": "Envelope Piggybank Paycheck Nest-Egg Receipt",
  investing: "Portfolio Bluechip Rebalance Yield Prospectus",
  business: "Invoice Storefront Margin Founder Payroll",
  "real estate": "Floorplan Doorstep Listing Keyring Rooftop",
  health: "Heartbeat Sleepwell Vitamin Posture Checkup",
  yoga: "Sunrise Asana Lotus Stillness Warrior",
  sports: "Touchline Podium Relay Scoreboard Underdog",
  football: "Crossbar Corner-Flag Stoppage Dribble Terrace",
  baking: "Sourdough Brioche Meringue Proving Crumb",
  gardening: "Trowel Seedling Compost Trellis Perennial",
  woodworking: "Chisel Sawhorse Grain Mortise Walnut",
  fashion: "Hemline Runway Wardrobe Selvedge Thimble",
  skincare: "Ceramide Dewdrop Toner Barrier Glow",
  parenting: "Bedtime Pushchair Lunchbox Toddler Nap-Time",
  pets: "Whisker Barkley Paddock Hamster Tailwag",
  photography: "Aperture Shutter Darkroom Tripod Contact-Sheet",
  "film making": "Clapper Rough-Cut Dolly Foley Dailies",
  cars: "Gearbox Hatchback Carburettor Pitlane Dashboard",
};

const COMPANIONS = "Almanac Harbor Diaries Lantern Collective Parade Notes Corner Society Wanderer".split(
  " ",
);
const PEOPLE =
  "Ximena Tadeusz Amara Ingrid Kofi Noor Leopold Mirthe Ravindra Solange Yuto Bettany Oskari Zanele".split(
    " ",
  );
const COUNTRIES = ["US", "GB", "IN", "BR", "DE", null, "KR", "NG", "MX", "FR", "PL"];
const EMOJI = ["✨", "🌱", "🔧", "🎬", "🐾"];
/** Names in other scripts: one in every fourth niche. */
const OTHER_SCRIPTS = [
  ["دفتر ليلى", "@daftar.layla"],
  ["יומן של נועה", "@yoman.shel.noa"],
  ["小さな研究室", "@chiisana-kenkyu"],
  ["Мастерская Ани", "@masterskaya.ani"],
  ["काव्या की डायरी", "@kavya.ki.diary"],
  ["ورشة سامي", "@warshat.sami"],
  ["느린 오후", "@neurin-ohu"],
] as const;

/** Ten invented creators of each further niche, most prominent first. */
export const FURTHER_CREATORS: Readonly<Record<string, readonly SampleCreator[]>> = Object.fromEntries(
  Object.entries(NICHE_WORDS).map(([niche, words], at) => [niche, createCreators(words.split(" "), at)]),
);

function createCreators(words: readonly string[], niche: number): SampleCreator[] {
  return Array.from({ length: 10 }, (_, index) => {
    const country = COUNTRIES[(niche * 3 + index) % COUNTRIES.length] ?? null;
    const other = niche % 4 === 0 && index === 6 ? OTHER_SCRIPTS[niche / 4] : undefined;
    if (other) return [other[0], other[1], country];
    const name = buildName(words, niche, index);
    const emoji = index === 4 && niche % 2 === 0 ? ` ${EMOJI[(niche / 2) % EMOJI.length]}` : "";
    return [name + emoji, `@${name.toLowerCase().replace(/[^a-z]/g, "")}`, country];
  });
}

/** Each word of a niche names two creators: a thing, then a person. */
function buildName(words: readonly string[], niche: number, index: number): string {
  const word = (words[index % words.length] ?? "").replace("-", " ");
  if (index < words.length) return `${word} ${COMPANIONS[(niche + 3 * index) % COMPANIONS.length]}`;
  return `${PEOPLE[(5 * niche + index) % PEOPLE.length]} ${index % 2 ? "and the" : "of the"} ${word}`;
}
