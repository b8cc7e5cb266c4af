/**
 * The name that a creator goes by on the page. A channel that the platform has never shown, or whose name is no longer
 * kept, has its id in place of a name; it is told apart by that id, which belongs beside the name and not into it.
 */
export function shownName({ channel_id, name }: { channel_id: string; name: string }): string {
  return name === channel_id ? "Unnamed channel" : name;
}
