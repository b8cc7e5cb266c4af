// Answers page loads that cannot reach the service with a notice instead of the browser's error page.
const NOTICE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <meta name="color-scheme" content="light dark">
  <title>Service unreachable</title>
  <style>
    body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem }
    a { color: inherit; display: inline-block; padding: 0.5rem 1rem; border: 1px solid; border-radius: 8px; text-decoration: none }
  </style>
  <main>
    <h1>The service cannot be reached</h1>
    <p>Check your connection. Nothing you did before is lost.</p>
    <p><a href="">Try again</a></p>
  </main>
</html>`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  event.respondWith(fetch(event.request).catch(() => new Response(NOTICE, { status: 503, headers })));
});
