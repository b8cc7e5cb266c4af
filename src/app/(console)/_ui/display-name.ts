/** A creator's display name. A channel without a known name has its ID as name, which is shown separately. */
export function getDisplayName({ channel_id, name }: { channel_id: string; name: string }): string {
  return name === channel_id ? "Unnamed channel" : name;
}
