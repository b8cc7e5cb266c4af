const countries = new Intl.DisplayNames("en-GB", { type: "region", fallback: "code" });

/** The English name of a country code. The platform may send other codes, on which DisplayNames throws. */
export function getCountryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
}
