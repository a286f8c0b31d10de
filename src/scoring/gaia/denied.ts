/** "12 would be wrong" and "12 does not fit" deny an answer; "Nobody Is Wrong" is a title. */
const DENIED = new RegExp(
  [
    String.raw`^[^\n]{0,80}?(?<!\p{L})(?:`,
    '(?:would be|is|was|are) (?:clearly |obviously |simply )?(?:wrong|incorrect|false|not (?:right|correct))',
    "|(?:isn't|cannot be|can't be|wouldn't be) (?:right|correct)",
    String.raw`|does(?: not|n't) (?:fit|match|work))(?!\p{L})`,
    '|^[^。\\n]{0,40}(?:是?错误?的|不对|不正确)',
  ].join(''),
  'u',
);
/**
 * Whether a text says behind a place that the answer there is wrong. It looks no farther than the
 * line, and `until`.
 */
export function isDenied(text: string, end: number, until = text.length): boolean {
  const [line = ''] =
    /^[^\n\r]*/u.exec(text.slice(end, Math.min(until, end + 120)).trimStart()) ?? [];
  return DENIED.test(line);
}
