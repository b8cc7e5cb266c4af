/** Maximum lists of a key. */
export const LISTS_PER_KEY = 50;
/** Maximum saved views of a key. */
export const VIEWS_PER_KEY = 20;
export const MAX_NAME_LENGTH = 40;
export const MAX_NOTE_LENGTH = 2000;

/** The form of a name that is the same for all cases and compositions. Upper and then lower case also joins ß and ss. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}
