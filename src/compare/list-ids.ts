/** Ids in one line: as many as fit into so many characters, but at least one, then how many more there are. */
export function listIds(ids: readonly string[], mostCharacters: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const id of ids) {
    length += id.length + 2;
    if (shown.length > 0 && length > mostCharacters) break;
    shown.push(id);
  }
  const more = ids.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
