/**
 * A text of about `most` characters: its beginning, and more of its end, where answers stand; whole where saying what is
 * left out would take as many. It is said in ASCII: one letter beyond it would double what a report takes in memory.
 */
export function shortenText(text: string, most: number): string {
  const head = Math.floor(most / 4);
  const tail = Math.floor(most) - head;
  const mark = markOf(text.length - head - tail);
  if (text.length <= head + tail + mark.length) return text;
  return `${text.slice(0, head)}${mark}${tail === 0 ? '' : text.slice(-tail)}`;
}

/** How long a text of so many characters is once it is shortened. */
export function shortenedLength(length: number, most: number): number {
  const kept = Math.floor(most);
  return Math.min(length, kept + markOf(length - kept).length);
}

function markOf(leftOut: number): string {
  return `\n[... ${leftOut} characters left out ...]\n`;
}
