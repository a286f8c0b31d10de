/** The source of a regular expression for this text. Node 22 has no `RegExp.escape`. */
export function toLiteralPattern(text: string): string {
  return text.replaceAll(/[^\w\s]/g, '\\$&');
}
