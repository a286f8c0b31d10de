/** The beginning of a text, with a mark where it is cut: before it half a key is known as one (`hideInMessage`). */
export function cutEnd(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
}
