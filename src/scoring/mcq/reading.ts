import type { Question } from './question.ts';

/** What is read at one place: options, or what is said in place of options. */
export type Value =
  | { readonly kind: 'labels'; readonly labels: readonly string[] }
  | { readonly kind: 'all' | 'none' | 'unsure' | 'declined' | 'conflict' };

/** A value and where it stands in the cleaned text. */
export type Claim = { readonly value: Value; readonly start: number; readonly end: number };

/** A cleaned output prepared for the readers. */
export type Reading = {
  readonly text: string;
  /** `text` in lower case, of the same length. */
  readonly lower: string;
  readonly question: Question;
  readonly multiple: boolean | undefined;
  /** It hit a token limit, so that its last words may not be what it was getting at. */
  readonly cut: boolean;
};

/** A label where it stands; `firm` where brackets or a noun show that it is one. */
export type Token = { readonly label: string; readonly start: number; readonly end: number; readonly firm: boolean };

export function labelsClaim(labels: readonly string[], start: number, end: number): Claim {
  return { value: { kind: 'labels', labels }, start, end };
}

export function labelsOf({ value }: Claim): readonly string[] {
  return value.kind === 'labels' ? value.labels : [];
}

/** What a sticky pattern finds at this place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
