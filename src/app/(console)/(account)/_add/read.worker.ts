import { readList } from "@/features/creators/list.rules";

addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(readList(data)));
