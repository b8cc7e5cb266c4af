"use client";

import { useEffect } from "react";
import { signInPath } from "@/features/keys/sessions.rules";

/** In place of a page that needs a session: leads to sign in, and from there back. The server knows no path here. */
export function LeadToSignIn() {
  useEffect(() => location.replace(signInPath(`${location.pathname}${location.search}`)), []);
  return (
    <main style={{ padding: "2rem 1rem" }}>
      <h1 className="visually-hidden">Sign in</h1>
      <a href="/sign-in">Please sign in</a>
    </main>
  );
}
