/** Owners beyond so many are to prove themselves anew, the least lately proven first; as are claims of one owner. */
const MAX_OWNERS = 10_000;
const MAX_CLAIMS_OF_ONE = 8;

/** Which claims were found to be true, and whose they are. */
export interface Claims {
  ownerOf(claim: string): string | undefined;
  /** The claim was found to be its owner's. */
  prove(claim: string, owner: string): void;
  /** It was found to be nobody's any more. */
  disprove(claim: string): void;
}

/** Claims of which none is proven yet. */
export function createClaims(): Claims {
  const owners = new Map<string, string>();
  /** The claims that each owner has proven, the latest last; the owner who proved one last stands last too. */
  const claimsOf = new Map<string, string[]>();

  function note(claim: string, owner: string): string[] {
    const known = claimsOf.get(owner) ?? [];
    if (known.at(-1) === claim && owners.get(claim) === owner) return known;
    const claims = [...known.filter((other) => other !== claim), claim];
    if (claims.length > MAX_CLAIMS_OF_ONE) owners.delete(claims.shift() ?? "");
    owners.set(claim, owner);
    return claims;
  }

  function forgetOldest(): void {
    const [oldest] = claimsOf.keys();
    if (oldest === undefined) return;
    for (const claim of claimsOf.get(oldest) ?? []) owners.delete(claim);
    claimsOf.delete(oldest);
  }

  return {
    ownerOf: (claim) => owners.get(claim),
    prove(claim, owner) {
      const claims = note(claim, owner);
      claimsOf.delete(owner);
      claimsOf.set(owner, claims);
      if (claimsOf.size > MAX_OWNERS) forgetOldest();
    },
    disprove(claim) {
      const owner = owners.get(claim);
      if (owner === undefined) return;
      owners.delete(claim);
      const left = (claimsOf.get(owner) ?? []).filter((other) => other !== claim);
      claimsOf.set(owner, left);
    },
  };
}
