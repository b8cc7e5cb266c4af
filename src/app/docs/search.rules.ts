/** A section of a guide. */
export interface DocsSection {
  guide: string;
  heading: string;
  href: string;
  text: string;
}

const MAX_RESULTS = 8;

/** The sections that have all words of a query, those with a word in their heading first. */
export function findSections(sections: readonly DocsSection[], query: string): DocsSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = sections.flatMap((section) => {
    const heading = `${section.heading} ${section.guide}`.toLowerCase();
    const whole = `${heading} ${section.text.toLowerCase()}`;
    if (!words.every((word) => whole.includes(word))) return [];
    return [{ section, hits: words.filter((word) => heading.includes(word)).length }];
  });
  return found
    .toSorted((one, other) => other.hits - one.hits)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => section);
}
