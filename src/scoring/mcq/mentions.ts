import { wordsIn } from './question.ts';
import { type Claim, labelsClaim, type Reading, type Token, tokenAt } from './values.ts';

/** "(B", "[B", "option B", "选项B". */
const MARKED =
  /(?<![\p{L}\p{N}\\])(?:\(|\[|(?:options?|choices?|answers?|statements?|选项|opci[oó]n|opção|opzione|alternativa|antwort|réponse|respuesta|resposta|risposta|letra) {0,2}["'(]?(?=[A-Za-z\d]))/giu;
/** "B" where a sentence or a clause begins, or behind "and", "so", "is". */
const BARE =
  /(?<=^|[\n.!?:;,] {0,3}|(?:^|[ \n])(?:and|or|so|thus|therefore|hence|think|believe|that|is|be|either|both|but|however|while|whereas|only|then|because|since|than) |[。，、])(?=["']?[A-Z\d]{1,2}(?:[^\p{L}\p{N}]|$|[一-鿿]))/giu;

/** The labels that a stretch of text names, in order. */
export function mentionsIn(reading: Reading, from: number, to: number): readonly Token[] {
  return tokensBehind([MARKED, BARE], reading, from, to);
}

/** Those that brackets or a noun mark as labels: "(B)", "option B". */
export function markedIn(reading: Reading, from: number, to: number): readonly Token[] {
  return tokensBehind([MARKED], reading, from, to).filter(
    ({ firm, start }) => firm && !/[a-z]/u.test(reading.text.charAt(start)),
  );
}

/** In an output that names labels in thousands of places the last ones tell as much. */
const MOST_PLACES = 500;

function tokensBehind(places: readonly RegExp[], reading: Reading, from: number, to: number): readonly Token[] {
  const part = reading.text.slice(from, to);
  const found = new Map<number, Token>();
  for (const { index } of places.flatMap((place) => [...part.matchAll(place)].slice(-MOST_PLACES))) {
    const token = tokenAt(reading, from + index);
    if (token !== null && token.end <= to + 1) found.set(token.start, token);
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** The options whose text stands in a stretch; a text within a longer one does not count. */
export function textsIn({ text, question }: Reading, from: number, to: number): readonly Claim[] {
  const found = [...wordsIn(text.slice(from, to))];
  const all = ` ${found.map(({ word }) => word).join(' ')} `;
  const hits = [...question.texts].flatMap(([label, { key, words }]) => {
    const at = key.length < 3 && !/\d/u.test(key) ? -1 : all.lastIndexOf(` ${key} `);
    // "±2" is not 2.
    return at < 0 || (/^\d/u.test(key) && all.slice(0, at + 1).endsWith(' pm '))
      ? []
      : [{ label, at, to: at + key.length, count: words.length }];
  });
  const outer = hits.filter(
    (hit) => !hits.some((other) => other.to - other.at > hit.to - hit.at && other.at <= hit.at && hit.to <= other.to),
  );
  return outer.map(({ label, at, count }) => {
    const first = all.slice(0, at + 1).split(' ').length - 2;
    return labelsClaim([label], from + (found[first]?.start ?? 0), from + (found[first + count - 1]?.end ?? 0));
  });
}
