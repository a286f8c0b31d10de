/** A text of at most about `maxLength` characters: beginning and end stay, a note in between says how much is left out. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.toWellFormed();
  const half = Math.floor(maxLength / 2);
  const left = text.slice(0, half).toWellFormed();
  const right = text.slice(-half).toWellFormed();
  return `${left}\n[... ${text.length - 2 * half} characters left out ...]\n${right}`;
}
