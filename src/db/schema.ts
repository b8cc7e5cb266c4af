export * from "./schema/alerts";
export * from "./schema/creators";
export * from "./schema/keys";
export * from "./schema/lists";
export * from "./schema/niches";
export * from "./schema/runs";
