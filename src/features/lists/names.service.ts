import { AppError } from "@/core/errors";

export function createNameTakenError(what: "list" | "view"): AppError {
  return createNameError(`You already have a ${what} with this name`);
}

export function createLimitError(what: "lists" | "views", limit: number): AppError {
  return createNameError(`You have ${limit} ${what}, the most a key can have. Delete one first`);
}

function createNameError(message: string): AppError {
  return new AppError("invalid_request", message, { issues: [{ field: "name", message }] });
}
