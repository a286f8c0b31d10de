/** Text from outside in one line: control characters escaped, cut after `limit` characters. */
export function safeText(text: string, limit = 60): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/u, '')}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => `\\u{${Number(sign.codePointAt(0)).toString(16)}}`);
}
