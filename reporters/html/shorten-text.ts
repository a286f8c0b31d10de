/**
 * A text of about `most` characters: its beginning, and more of its end, where answers stand. What is left out is said in
 * ASCII: one letter beyond it would double what a report takes in memory.
 */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor(most / 4);
  const tail = Math.floor(most) - head;
  const right = tail === 0 ? '' : text.slice(-tail);
  return `${text.slice(0, head)}\n[... ${text.length - head - tail} characters left out ...]\n${right}`;
}
