export * from "./schema/alerts";
export * from "./schema/creators";
export * from "./schema/keys";
export * from "./schema/niches";
export * from "./schema/platform";
export * from "./schema/requests";
export * from "./schema/runs";
export * from "./schema/sign-ins";
