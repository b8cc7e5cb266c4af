import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  casing: "snake_case",
  schema: "./src/core/db/schema/*.ts",
  out: "./drizzle",
});
