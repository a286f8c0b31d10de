import { quote } from '../records/show-value.ts';
import { cutEnd } from '../text/cut-end.ts';
import { nearest } from '../text/nearest.ts';
import { ANSWER_FIELDS } from './returned-answer.ts';

/** More names are of no more use, and an agent may make up any number of them. */
const MOST_NAMES = 5;
const MOST_KEYS = 100;
const MOST_CHARACTERS = 60;

const KNOWN = ANSWER_FIELDS.join(', ');

/** The fields of an agent's answers that nobody reads: a cost under another name would be lost without a word. */
export class UnknownFields {
  readonly #names = new Set<string>();

  /** Looks at what an agent returned; never throws, whatever that is. */
  look(returned: unknown): void {
    if (typeof returned !== 'object' || returned === null || this.#names.size >= MOST_NAMES) return;
    try {
      for (const name of Object.keys(returned).slice(0, MOST_KEYS)) {
        if (!ANSWER_FIELDS.includes(name) && this.#names.size < MOST_NAMES)
          this.#names.add(cutEnd(name, MOST_CHARACTERS));
      }
    } catch {
      // A proxy may refuse to tell its keys: nothing is known of them then.
    }
  }

  /** What to say of them, in a sentence; nothing when there were none. A name may quote a gated question. */
  describe(gated = false): readonly string[] {
    const { size } = this.#names;
    if (size === 0) return [];
    if (gated) {
      const count = size === MOST_NAMES ? `${size} or more` : size;
      return [
        `fields of its answers that nobody reads: ${count}. Set EVAL_SHOW_GATED=1 to see their names. Known: ${KNOWN}.`,
      ];
    }
    const names = [...this.#names].map((name) => {
      const meant = findMeant(name);
      return `${quote(name)}${meant === null ? '' : ` (did you mean "${meant}"?)`}`;
    });
    return [`fields of its answers that nobody reads: ${names.join(', ')}. Known: ${KNOWN}.`];
  }
}

/** Names that other tools give to what an answer may hold. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['tokens', 'usage'],
  ['tokenusage', 'usage'],
  ['price', 'cost'],
  ['answer', 'text'],
  ['output', 'text'],
  ['content', 'text'],
  ['turns', 'steps'],
  ['messages', 'trace'],
  ['trajectory', 'trace'],
  ['transcript', 'trace'],
]);

function findMeant(name: string): string | null {
  const word = name.toLowerCase().replaceAll(/[_-]/g, '');
  const other = OTHER_NAMES.get(word);
  if (other !== undefined) return other;
  const near = nearest(word, ANSWER_FIELDS);
  const isNear = word.includes(near) || (word[0] === near[0] && Math.abs(word.length - near.length) < 3);
  return isNear ? near : null;
}
