// Answers page loads that cannot reach the service with a notice instead of the browser's error page.
const NOTICE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Service unreachable</title>
  <script>
    try { document.documentElement.dataset.theme = localStorage.getItem("mantine-color-scheme-value") ?? "auto" } catch {}
    addEventListener("online", () => location.reload());
    setInterval(() => navigator.onLine && location.reload(), 5000);
  </script>
  <style>
    :root { color-scheme: light dark }
    :root[data-theme=light] { color-scheme: light }
    :root[data-theme=dark] { color-scheme: dark }
    body {
      display: grid; place-content: center; box-sizing: border-box; min-height: 100vh; margin: 0; padding: 1.5rem;
      background: light-dark(#fafafb, #0b0d12); color: light-dark(#474e5d, #aeb5c4);
      font: 0.875rem/1.43 "Geist Variable", system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif
    }
    main { max-width: 30rem }
    p { margin: 0 0 1rem }
    .brand { display: flex; align-items: center; gap: 0.625rem; color: light-dark(#12151c, #eef0f5); font-weight: 650 }
    rect { fill: light-dark(#161a23, #eef0f5) }
    path { fill: none; stroke: light-dark(#ffffff, #12151c); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
    h1 { margin: 0 0 0.5rem; color: light-dark(#12151c, #eef0f5); font-size: 1.625rem; line-height: 1.23; letter-spacing: -0.025em }
    a {
      display: inline-block; padding: 0.4375rem 0.875rem; border-radius: 8px; background: light-dark(#161a23, #eef0f5);
      color: light-dark(#ffffff, #12151c); font-weight: 550; text-decoration: none
    }
    a:focus-visible { outline: 2px solid light-dark(#3249d3, #98a6ff); outline-offset: 3px }
  </style>
  <main>
    <p class="brand">
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M7 24h5v-5h5v-5h5V8h3"/></svg>
      Creator Growth Tracking Service
    </p>
    <h1>The service cannot be reached</h1>
    <p>This device is offline, or the service does not answer. What was not saved may be lost.</p>
    <a href="">Try again</a>
  </main>
</html>`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  event.respondWith(fetch(event.request).catch(() => new Response(NOTICE, { status: 503, headers })));
});
