import { isFields } from '../records/record.ts';
import { showValue } from '../text/show.ts';

/**
 * What a scorer of autoevals and the like gives: a number from 0 to 1, or null for no verdict.
 * `metadata.rationale` or `metadata.reason` says why.
 */
export type ScorerResult = {
  readonly score: number | null;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** A named score of a scorer. Its type says which outputs the scorer reads. */
type ScorerScore<Output> = (input: {
  readonly output: Output;
  readonly input: unknown;
  readonly target: unknown;
}) => ScorerResult | Promise<ScorerResult>;

/** The fields of a scorer's argument that viva does not give. */
type Options<Args> = Omit<Args, 'input' | 'output' | 'expected'>;

/**
 * One of the `scores` of `defineEval`, from a function of the form that autoevals has: it gets
 * `{ input, output, expected, ...options }`, where `expected` is the target. Its number informs;
 * `pass` says which numbers are right.
 *
 * @example
 * scores: { factual: scorer(Factuality, { model: 'gpt-5-mini' }) },
 * pass: ({ factual }) => factual >= 0.6,
 */
export function scorer<Args extends { readonly output?: unknown }>(
  score: (args: Args) => ScorerResult | Promise<ScorerResult>,
  ...[options]: object extends Options<Args> ? [Options<Args>?] : [Options<Args>]
): ScorerScore<Args['output']> {
  if (typeof score !== 'function')
    throw new TypeError(`scorer needs a function, such as Factuality, got ${showValue(score)}.`);
  return ({ input, output, target }) =>
    Reflect.apply(score, undefined, [{ ...options, input, output, expected: target }]);
}

export function isScorerResult(value: unknown): value is ScorerResult {
  if (!isFields(value)) return false;
  const { score, metadata } = value;
  return (score === null || typeof score === 'number') && (metadata == null || isFields(metadata));
}

/** The words of a scorer. */
export function rationaleOf({ metadata = {} }: ScorerResult): string | undefined {
  const said = metadata['rationale'] ?? metadata['reason'];
  return typeof said === 'string' && said.trim() !== '' ? said.trim() : undefined;
}
