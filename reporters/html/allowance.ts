import { isCorrect } from '../../src/states.ts';
import type { LoggedQuestion } from '../../src/store/question-log.ts';
import type { SampleResult } from '../../src/types.ts';
import type { ReportInput } from './render-page.ts';

/** How many characters of each text of a case are kept. */
export type Allowance = {
  readonly question: number;
  readonly output: number;
  /** Of a right answer, which hardly anyone reads. */
  readonly correct: number;
  readonly short: number;
  readonly name: number;
  /** Whether there is room for every text. */
  readonly isWhole: boolean;
};

type Kind = Exclude<keyof Allowance, 'name' | 'isWhole'>;

/** A text of a case: what it may keep is its kind's allowance, of which an option of a question has a part. */
type Length = { readonly kind: Kind; readonly length: number; readonly part: number };

/** What a case is allowed where there is room for all: more than anyone reads. */
const MOST = 500_000;

/** Shares out characters among the texts of all cases: short texts leave their share to others. */
export class Allowances {
  readonly #lengths: readonly Length[];

  constructor(input: ReportInput) {
    this.#lengths = measure(input);
  }

  /** The most that each case may be allowed so that all texts together take so many characters. */
  find(characters: number): Allowance {
    let [fits, tooMuch] = [0, MOST + 1];
    if (this.#count(toAllowance(MOST)) <= characters) fits = MOST;
    while (fits < MOST && tooMuch - fits > 1) {
      const each = Math.floor((fits + tooMuch) / 2);
      if (this.#count(toAllowance(each)) <= characters) fits = each;
      else tooMuch = each;
    }
    return toAllowance(fits);
  }

  #count(allowance: Allowance): number {
    return this.#lengths.reduce(
      (sum, { kind, length, part }) => sum + shortenedLength(length, allowance[kind] / part),
      0,
    );
  }
}

function toAllowance(each: number): Allowance {
  const output = Math.floor(each * 0.35);
  const short = Math.floor(each * 0.12);
  return {
    question: Math.floor(each * 0.4),
    output,
    correct: output / 4,
    short: Math.min(1000, short),
    name: Math.max(40, Math.min(200, short)),
    isWhole: each === MOST,
  };
}

function measure(input: ReportInput): readonly Length[] {
  const shown = input.conclusion.settled.results.filter((result) => !input.isHidden(result));
  const questions = new Set(shown.flatMap(({ suite, id }) => input.questions(suite).get(id) ?? []));
  return [...shown.flatMap(measureResult), ...[...questions].flatMap(measureQuestion)];
}

function measureResult(result: SampleResult): readonly Length[] {
  const { output, target, answer, explanation } = result;
  const kind = isCorrect(result) ? 'correct' : 'output';
  return [
    { kind, length: output?.length ?? 0, part: 1 },
    ...[target, answer, explanation].map((text) => ({ kind: 'short', length: text?.length ?? 0, part: 1 }) as const),
  ];
}

function measureQuestion({ input, choices = [] }: LoggedQuestion): readonly Length[] {
  const options = choices.map(([, text]) => ({ kind: 'question', length: text.length, part: choices.length }) as const);
  return [{ kind: 'question', length: input.length, part: 1 }, ...options];
}

/**
 * A text of about `most` characters: its beginning, and more of its end, where answers stand; whole where saying what is
 * left out would take as many. It is said in ASCII: one letter beyond it would double what a report takes in memory.
 */
export function shortenText(text: string, most: number): string {
  const head = Math.floor(most / 4);
  const tail = Math.floor(most) - head;
  const mark = markOf(text.length - head - tail);
  if (text.length <= head + tail + mark.length) return text;
  return `${text.slice(0, head)}${mark}${tail === 0 ? '' : text.slice(-tail)}`;
}

/** How long a text of so many characters is once it is shortened. */
export function shortenedLength(length: number, most: number): number {
  const kept = Math.floor(most);
  return Math.min(length, kept + markOf(length - kept).length);
}

function markOf(leftOut: number): string {
  return `\n[... ${leftOut} characters left out ...]\n`;
}
