/**
 * The display name of a creator. A channel without a known name has its ID as name; the ID then stands beside the
 * name, not in it.
 */
export function shownName({ channel_id, name }: { channel_id: string; name: string }): string {
  return name === channel_id ? "Unnamed channel" : name;
}
