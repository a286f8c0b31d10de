import { STATES } from '../src/states.ts';
import type { PlannedMeta, ResultMeta } from '../src/store/sample-log.ts';
import { cut, cutMiddle, escapeLine } from '../src/text/show.ts';
import { lineIf, namePrompt } from '../src/text/wording.ts';

/**
 * A failed case: its test's title, and what its test tells reporters. Where records are hidden,
 * that has no texts.
 */
export type FailedCase = { readonly title: string; readonly meta: ResultMeta };

/** More lines than this are not read. */
const MOST_LINES = 20;

/** Above this, Vitest's form of each failure is too long to read. */
const MOST_FULL = 30;

export type FailureForm = 'lines' | 'full';

/** How to show failures: as set, or in lines where Vitest's form would be long. */
export function chooseForm(
  set: FailureForm | null,
  watch: boolean,
  metas: readonly (PlannedMeta | ResultMeta)[],
): FailureForm {
  if (set !== null) return set;
  return watch || isSeveral(metas) || metas.filter(isFailed).length > MOST_FULL ? 'lines' : 'full';
}

/** Whether a suite has several agents, prompts or trials. */
function isSeveral(metas: readonly PlannedMeta[]): boolean {
  const firsts = new Map<string, PlannedMeta>();
  return metas.some((meta) => {
    const { suite, agent, prompt, trial } = meta;
    const first = firsts.get(suite) ?? meta;
    if (first === meta) firsts.set(suite, meta);
    return agent !== first.agent || prompt !== first.prompt || trial !== first.trial;
  });
}

/**
 * Whether a test failed because of its result. Other errors, as of a score that throws, leave no
 * state.
 */
export function isFailed(meta: PlannedMeta | ResultMeta | undefined): meta is ResultMeta {
  return meta !== undefined && 'state' in meta && STATES[meta.state].fails;
}

/**
 * One line a failed case: expected, received, the question's first words. Prompts and trials with
 * equal answers share a line.
 */
export function toFailureLines(failed: readonly FailedCase[]): readonly string[] {
  const isOneSuite = new Set(failed.map(({ meta }) => meta.suite)).size === 1;
  const nameOf = ({ title, meta }: FailedCase) => (isOneSuite ? title : `${meta.suite} > ${title}`);
  const keyOf = (one: FailedCase) => `${withoutSide(nameOf(one), one.meta)}\n${describe(one.meta)}`;
  // Thousands of cases that cannot share a line need no look at those that are not shown.
  const canShare = failed.some(({ title, meta }) => meta.prompt !== undefined || TRIAL.test(title));
  const equal = Map.groupBy(canShare ? failed : failed.slice(0, MOST_LINES), keyOf);
  const shown = [...equal.values()].slice(0, MOST_LINES);
  const lines = shown.flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return ` × ${nameTogether(nameOf(first), same)}: ${describe(first.meta)}`;
  });
  const more = failed.length - shown.flat().length;
  const rest = `   and ${more} more: EVAL_FAILURES=full shows all, report.html lists them`;
  const isGated = failed.some(({ meta }) => meta.target === undefined);
  const hidden = '   EVAL_SHOW_GATED=1 shows questions, expected answers and answers in CI';
  return [...lines, ...lineIf(more > 0, rest), ...lineIf(isGated, hidden)].map((line) =>
    escapeLine(line, 600),
  );
}

/** The last part of a test's title, where there are several trials. */
const TRIAL = / \| trial \d+$/;

/** A title without its prompt and trial. */
function withoutSide(title: string, { prompt }: ResultMeta): string {
  const whole = title.replace(TRIAL, '');
  const end = prompt === undefined ? '' : ` | ${escapeLine(prompt)}`;
  return whole.endsWith(end) ? whole.slice(0, whole.length - end.length) : whole;
}

/**
 * The title of the first case, or what all of them share with the names of their prompts and how
 * many trials they are.
 */
function nameTogether(title: string, same: readonly FailedCase[]): string {
  const [first] = same;
  if (first === undefined || same.length === 1) return title;
  const prompts = new Set(same.flatMap(({ meta: { prompt } }) => prompt ?? []));
  const shown =
    prompts.size > 1
      ? [...prompts].map((prompt) => namePrompt({ ...first.meta, prompt }))
      : [...prompts];
  const trials = lineIf(TRIAL.test(title), `${same.length} trials`);
  return [
    withoutSide(title, first.meta),
    ...lineIf(shown.length > 0, shown.join(', ')),
    ...trials,
  ].join(' | ');
}

function describe({
  state,
  reason,
  target,
  answer,
  explanation,
  question,
  confidence,
}: ResultMeta): string {
  const expected = target ? `expected ${quoteShort(target)}, ` : '';
  const stated = confidence ? ` (confidence ${toOneLine(confidence)})` : '';
  const words = question ? `  ${cut(toOneLine(question), 60)}` : '';
  if (answer) {
    const why = answer === target && explanation ? ` (${cut(toOneLine(explanation), 120)})` : '';
    return `${expected}received ${quoteShort(answer)}${stated}${why}${words}`;
  }
  const why = reason === null || reason === state ? '' : ` (${cutMiddle(reason)})`;
  const said = STATES[state].isError && explanation ? `: ${cut(toOneLine(explanation), 120)}` : '';
  return `${expected}${STATES[state].label}${why}${said}${words}`;
}

function quoteShort(text: string): string {
  return `"${cutMiddle(toOneLine(text))}"`;
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
