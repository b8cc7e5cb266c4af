export * from "./schema/alerts";
export * from "./schema/creators";
export * from "./schema/keys";
export * from "./schema/requests";
export * from "./schema/runs";
