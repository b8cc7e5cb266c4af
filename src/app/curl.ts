/** A curl command for a terminal, one option a line. @param key a placeholder by default */
export function formatCurl(url: string, options: readonly string[] = [], key = "<API_KEY>"): string {
  return [`curl "${url}"`, `-H "X-API-Key: ${key}"`, ...options].join(" \\\n  ");
}
