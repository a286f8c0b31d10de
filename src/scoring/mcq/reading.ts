import type { Question } from './question.ts';

/** What is read at one place: options, or a statement in place of options. */
export type Value =
  | Readonly<{ kind: 'labels'; labels: readonly string[] }>
  | { readonly kind: 'all' | 'none' | 'unsure' | 'conflict' | 'unoffered' };

/** A value and its place in the cleaned text. */
export type Claim = Readonly<{ value: Value; start: number; end: number }>;

/** A cleaned output prepared for the readers. */
export type Reading = Readonly<{
  text: string;
  /** `text` in lower case, of the same length. */
  lower: string;
  question: Question;
  multiple: boolean | undefined;
  /** The output hit a token limit, so its last words may not be its conclusion. */
  cut: boolean;
}>;

/** A label at its place. `firm` is true when brackets or a noun show that it is a label. */
export type Token = Readonly<{
  label: string;
  start: number;
  end: number;
  firm: boolean;
}>;

export function labelsClaim(labels: readonly string[], start: number, end: number): Claim {
  return { value: { kind: 'labels', labels }, start, end };
}

export function labelsOf({ value }: Claim): readonly string[] {
  return value.kind === 'labels' ? value.labels : [];
}

/** The match of a sticky pattern at this place; null without one. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
