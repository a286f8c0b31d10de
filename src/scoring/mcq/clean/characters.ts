import { replaceTracked, type TrackedText } from './tracked-text.ts';

const INVISIBLE = /(?![\t-\r])\p{Cc}|\p{Cf}|[\u{FE00}-\u{FE0F}\u{20E3}\u{E000}\u{E001}]/gu;
const COMBINED = /\p{L}\p{M}+/gu;
const UNUSUAL = /[^\p{ASCII}\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/gu;
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/gu;

/** Signs that compatibility normalisation leaves alone. */
const FOLDED = new Map(
  (
    [
      ['‐‑‒–−', '-'],
      ['—―', ' - '],
      ['‘’‚‛′', "'"],
      ['“”„‟″«»「」『』', '"'],
      ['【〔〖', '['],
      ['】〕〗', ']'],
      ['✅✔☑🗸', '✓'],
      ['❌✗✘✖❎☒☐', '✗'],
      ['⇒➡➔⟹→', '->'],
    ] as const
  ).flatMap(([signs, by]) => Array.from(signs, (sign) => [sign, by] as const)),
);

/** Letters in circles and squares, left alone too, by the code point of their "A". */
const ENCLOSED_A = [0x1f150, 0x1f170, 0x1f1e6, 0x1f130];

/** Folds full width, circled and typographic forms, so that a label or a text has one spelling. Case is kept. */
export function foldCharacters(source: TrackedText): TrackedText {
  const visible = replaceTracked(source, INVISIBLE, () => '');
  const composed = replaceTracked(visible, COMBINED, (match) => match[0].normalize('NFC'));
  const folded = replaceTracked(composed, UNUSUAL, (match) => foldCharacter(match[0]));
  return replaceTracked(folded, THOUSANDS, () => '');
}

function foldCharacter(character: string): string {
  const known = FOLDED.get(character);
  if (known !== undefined) return known;
  const point = character.codePointAt(0) ?? 0;
  const first = ENCLOSED_A.find((start) => point >= start && point < start + 26);
  if (first !== undefined) return String.fromCharCode(0x41 + point - first);
  const compatible = character.normalize('NFKC');
  // A sign that stands for whole words holds no label, and a megabyte of them must not become twenty.
  return compatible.length > 4 ? character : compatible;
}
