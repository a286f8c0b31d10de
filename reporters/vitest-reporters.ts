import { AgentReporter, DefaultReporter, type Vitest } from 'vitest/node';
import { STATES } from '../src/states.ts';
import type { PlannedMeta, ResultMeta } from '../src/store/trial-meta.ts';
import { cut, cutMiddle, escapeLine, lineIf } from '../src/text/show.ts';
import { type OwnFailures, withOwnFailures } from './vitest-main.ts';

/**
 * Vitest's reporters that list failures. Those with other names are for users who want exactly
 * their form.
 */
const TERMINALS = new Map([
  ['default', DefaultReporter],
  ['minimal', AgentReporter],
  ['agent', AgentReporter],
]);

/**
 * Has Vitest's own reporters show evals as viva does: failures in lines in a terminal, without
 * Vitest's live summary if viva shows one.
 */
export function adaptReporters(
  { reporters }: Vitest['config'],
  form: FailureForm | null,
  isLive: boolean,
): void {
  for (const [index, reporter] of reporters.entries()) {
    const [name, options] = Array.isArray(reporter) ? reporter : [];
    const Terminal = name === undefined ? undefined : TERMINALS.get(name);
    if (Terminal === undefined) continue;
    const Adapted = withOwnFailures(Terminal, toOwnFailures(form));
    reporters[index] = new Adapted(isLive ? { ...options, summary: false } : options);
  }
}

/** Shows a failed case in one line. Errors that are not results keep Vitest's form. */
function toOwnFailures(form: FailureForm | null): OwnFailures {
  return {
    replaces(tests, { watch }) {
      const metas = tests.flatMap((test) => test.meta().eval ?? []);
      return metas.length > 0 && chooseForm(form, watch, metas) === 'lines';
    },
    includes: (test) => test.result().state === 'failed' && isFailed(test.meta().eval),
    toLines(tests) {
      const failed = tests.flatMap((test) => {
        const { eval: meta } = test.meta();
        return isFailed(meta) ? [{ title: test.name, meta }] : [];
      });
      return failed.length === 0 ? [] : ['', ...toFailureLines(failed)];
    },
  };
}

/**
 * A failed case: its test's title, and what its test reports. Where records are hidden,
 * that has no texts.
 */
type FailedCase = Readonly<{ title: string; meta: ResultMeta }>;

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
function isFailed(meta: PlannedMeta | ResultMeta | undefined): meta is ResultMeta {
  return meta !== undefined && 'state' in meta && STATES[meta.state].fails;
}

/** One line a failed case: expected, received, the question's first words. */
export function toFailureLines(failed: readonly FailedCase[]): readonly string[] {
  const isOneSuite = new Set(failed.map(({ meta }) => meta.suite)).size === 1;
  const lines = failed.slice(0, MOST_LINES).map(({ title, meta }) => {
    return ` × ${isOneSuite ? title : `${meta.suite} > ${title}`}: ${describe(meta)}`;
  });
  const more = failed.length - lines.length;
  const rest = `   and ${more} more: EVAL_FAILURES=full shows all, report.html lists them`;
  const isHidden = failed.some(({ meta }) => meta.target === undefined);
  const hidden = '   EVAL_SHOW_GATED=1 shows questions, expected answers and answers in CI';
  return [...lines, ...lineIf(more > 0, rest), ...lineIf(isHidden, hidden)].map((line) =>
    escapeLine(line, 600),
  );
}

function describe({
  state,
  reason,
  target,
  answer,
  explanation,
  question,
  confidence,
  scores = {},
}: ResultMeta): string {
  const expected = target ? `expected ${quoteShort(target)}, ` : '';
  const stated = confidence ? ` (confidence ${toOneLine(confidence)})` : '';
  const words = question ? `  ${cut(toOneLine(question), 60)}` : '';
  if (answer) {
    const why = answer === target && explanation ? ` (${cut(toOneLine(explanation), 120)})` : '';
    const wrong = Object.keys(scores).filter((name) => scores[name] === false);
    const names =
      wrong.length > 0 && why === '' ? `, false: ${wrong.map(toOneLine).join(', ')}` : '';
    return `${expected}received ${quoteShort(answer)}${stated}${names}${why}${words}`;
  }
  const why = reason === null || reason === state ? '' : ` (${cutMiddle(reason)})`;
  const message =
    STATES[state].isError && explanation ? `: ${cut(toOneLine(explanation), 120)}` : '';
  return `${expected}${STATES[state].label}${why}${message}${words}`;
}

function quoteShort(text: string): string {
  return `"${cutMiddle(toOneLine(text))}"`;
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
