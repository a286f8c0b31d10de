/** The last `length` characters before a place, or as many as there are. */
export function textBefore(text: string, at: number, length: number): string {
  return text.slice(Math.max(0, at - length), at);
}

/** The next `length` characters from a place on, or as many as there are. */
export function textAfter(text: string, at: number, length: number): string {
  return text.slice(at, at + length);
}
