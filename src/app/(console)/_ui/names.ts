const countries = new Intl.DisplayNames("en-GB", { type: "region", fallback: "code" });

/** A creator's display name. A channel without a known name has its ID as name, which is shown separately. */
export function getDisplayName({ channel_id, name }: { channel_id: string; name: string }): string {
  return name === channel_id ? "Unnamed channel" : name;
}

/** The English name of a country code. The platform may send other codes, on which DisplayNames throws. */
export function getCountryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
}
