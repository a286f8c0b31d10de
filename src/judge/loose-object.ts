import { UNSEEN } from '../words/unseen.ts';

/** A JSON object as models write it. */
export type LooseObject = Readonly<{
  /**
   * The values of each name, as often as it stands there: a text or a bare word; null for others.
   * Names are in lower case.
   */
  fields: ReadonlyMap<string, readonly (string | null)[]>;
  /** The place after its brace, or the length of the text if it has none. */
  end: number;
  comments: string;
  /** The texts in which quotes stand unescaped: they may be more than one. */
  doubtful: string;
}>;

/**
 * Reads the object whose brace is at `start`. It may have stray escapes, raw control characters,
 * quotes of any kind that also stand unescaped in a text, bare names and words, comments, and too
 * many or too few commas. Its last brace may be missing if the text ends there. Null if it is no
 * object, or ends within a value. Never throws, and takes linear time.
 *
 * @example
 * readLooseObject(`{verdict: 'pass', 'reason': 'It's \\(x\\).',}`, 0);
 * // fields: verdict ["pass"], reason ["It's \\(x\\)."]
 */
export function readLooseObject(text: string, start: number): LooseObject | null {
  return new Reader(text, start).readWhole();
}

const SMART_DOUBLE = '“”„‟″';
const SMART_SINGLE = '‘’‚‛′';

/**
 * Quotes that open a text, with those that may close it. In valid JSON smart quotes close nothing.
 */
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ...[...SMART_DOUBLE].map((quote) => [quote, `${SMART_DOUBLE}"`] as const),
  ...[...SMART_SINGLE].map((quote) => [quote, `${SMART_SINGLE}'`] as const),
]);

const BLANKS = /[\s\p{Default_Ignorable_Code_Point}]*/uy;
const COMMENT = /(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//y;
const COMMENT_START = /#|\/[/*]/y;
const BARE_NAME = /[\p{L}_$][\w$-]{0,60}/uy;
const BARE_WORD = /[^\s,:{}[\]"'`“”‘’]{1,100}(?=[\s,}\]])/y;
/** A name with its colon. */
const NAME =
  /(?:"(?:[^"\\\n]|\\.){0,60}"|'(?:[^'\\\n]|\\.){0,60}'|[“”„‟″‘’‚‛′`][^“”„‟″‘’‚‛′`"'\\\n]{0,60}[“”„‟″‘’‚‛′`"']|[\p{L}_$][\w$-]{0,60})\s{0,60}:/uy;
const MOST_LEVELS = 50;

type Place = 'name' | 'field' | 'item';

class Reader {
  readonly #text: string;
  #at: number;
  #comments = '';
  #doubtful = '';

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  readWhole(): LooseObject | null {
    const fields = new Map<string, (string | null)[]>();
    const isRead = this.#readFields(0, (name, value) => {
      const key = name.replaceAll(UNSEEN, '').trim().toLowerCase();
      fields.set(key, [...(fields.get(key) ?? []), value]);
    });
    const [comments, doubtful] = [this.#comments, this.#doubtful];
    return isRead ? { fields, end: this.#at, comments, doubtful } : null;
  }

  #readFields(level: number, add: (name: string, value: string | null) => void): boolean {
    this.#at += 1;
    // At the end only the brace may be missing, and no field.
    let mayEnd = false;
    for (;;) {
      this.#skip();
      if (this.#take('}')) return true;
      if (this.#at === this.#text.length) return mayEnd && level === 0;
      const name = this.#readText('name') ?? this.#match(BARE_NAME);
      this.#skip();
      if (name === undefined || !this.#take(':')) return false;
      const value = this.#readValue(level, 'field');
      if (value === undefined) return false;
      add(name, value);
      this.#skip();
      mayEnd = !this.#take(',');
    }
  }

  #readItems(level: number): boolean {
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#take(']')) return true;
      if (this.#readValue(level, 'item') === undefined) return false;
      this.#skip();
      this.#take(',');
    }
  }

  /** Undefined if there is none. */
  #readValue(level: number, place: Place): string | null | undefined {
    this.#skip();
    const first = this.#text[this.#at];
    if (first !== '{' && first !== '[') return this.#readText(place) ?? this.#match(BARE_WORD);
    if (level === MOST_LEVELS) return undefined;
    const isRead =
      first === '[' ? this.#readItems(level + 1) : this.#readFields(level + 1, () => undefined);
    return isRead ? null : undefined;
  }

  #readText(place: Place): string | undefined {
    const text = this.#text;
    const ends = QUOTES.get(text[this.#at] ?? '');
    if (ends === undefined) return undefined;
    const start = this.#at + 1;
    let isDoubtful = false;
    for (let at = start; at < text.length; at++) {
      const character = text[at] ?? '';
      if (character === '\\') at++;
      if (!ends.includes(character)) continue;
      if (this.#isEnd(at + 1, place)) {
        const read = text.slice(start, at);
        this.#at = at + 1;
        if (isDoubtful) this.#doubtful += `${read}\n`;
        return unescapeText(read);
      }
      // A name with quotes would be half a text and the name after it.
      if (place === 'name') return undefined;
      isDoubtful = true;
    }
    return undefined;
  }

  /** Whether a text may end here: a quote before anything else is part of it. */
  #isEnd(after: number, place: Place): boolean {
    const at = this.#afterBlanks(after);
    const next = this.#text[at];
    if (place === 'name') return next === ':';
    if (this.#has(COMMENT_START, at)) return true;
    if (place === 'item') return next === ',' || next === ']';
    if (next === ',') {
      const then = this.#afterBlanks(at + 1);
      return (
        [NAME, COMMENT_START].some((each) => this.#has(each, then)) || this.#text[then] === '}'
      );
    }
    // Models forget commas between lines.
    const isLine = this.#text.slice(after, at).includes('\n') && this.#has(NAME, at);
    return next === undefined || next === '}' || isLine;
  }

  #has(pattern: RegExp, at: number): boolean {
    pattern.lastIndex = at;
    return pattern.test(this.#text);
  }

  #afterBlanks(at: number): number {
    return this.#has(BLANKS, at) ? BLANKS.lastIndex : at;
  }

  #skip(): void {
    for (;;) {
      this.#at = this.#afterBlanks(this.#at);
      const comment = this.#match(COMMENT);
      if (comment === undefined) return;
      this.#comments += `${comment}\n`;
    }
  }

  #take(character: string): boolean {
    const isNext = this.#text[this.#at] === character;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

const ESCAPE = /\\(?:u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi;

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ...[...`"'\`/\\${SMART_DOUBLE}${SMART_SINGLE}`].map((each) => [each, each] as const),
]);

/** A text with what its escapes stand for; unknown ones stay, as in "\(x\)". */
export function unescapeText(text: string): string {
  return text.replace(ESCAPE, (whole, unit?: string, byte?: string, other = '') => {
    const code = unit ?? byte;
    return code === undefined
      ? (CHARACTERS.get(other) ?? whole)
      : String.fromCharCode(Number.parseInt(code, 16));
  });
}
