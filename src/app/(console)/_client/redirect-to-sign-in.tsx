"use client";

import { useEffect } from "react";
import { getSignInPath } from "@/features/sessions/rules";

/** Redirects to sign-in and back. Runs in the browser because the layout does not know the path. */
export function RedirectToSignIn() {
  useEffect(() => location.replace(getSignInPath(`${location.pathname}${location.search}`)), []);
  return (
    <main style={{ padding: "2rem 1rem" }}>
      <h1 className="visually-hidden">Sign in</h1>
      <a href="/sign-in">Please sign in</a>
    </main>
  );
}
