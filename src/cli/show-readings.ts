import { createReplay } from '../agents/create-replay.ts';
import type { AgentSpec } from '../agents/spec.ts';
import type { SuiteKind } from '../data/shape.ts';
import type { AnswerClaim } from '../scoring/claim.ts';
import { extractFinalAnswer } from '../scoring/gaia/extract-final-answer.ts';
import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { extractChoice } from '../scoring/mcq/extract-choice.ts';
import { gradeMcq } from '../scoring/mcq/grade-mcq.ts';
import { AgentError, type Answer } from '../words/answer.ts';
import { listAccepted } from '../words/row.ts';
import type { Sample } from '../words/sample.ts';
import { escapeLine, plural, quote, showValue } from '../words/show.ts';
import type { CommandContext } from './command.ts';

/**
 * Prints how each output of recorded predictions is read: all places that state an answer, with
 * the form that read them, what they say, and why one won and the others lost.
 */
export async function showReadings(
  source: string,
  kind: SuiteKind,
  samples: readonly Sample[],
  print: CommandContext['print'],
): Promise<void> {
  const suite = { suite: kind, ids: samples.map(({ id }) => id), predictions: '', remedy: REMEDY };
  const counts = new Map<string, number>(READINGS.map((how) => [how, 0]));
  const count = (how: string) => counts.set(how, (counts.get(how) ?? 0) + 1);
  if (kind === 'records') print(OWN_SUITE);
  const spec: AgentSpec = { kind: 'replay', target: source, text: `replay:${source}` };
  for (const agent of await createReplay(spec, suite)) {
    for (const { text } of agent.notes ?? []) print(escapeLine(text, 1000));
    for (const sample of samples)
      for (let trial = 1; trial <= (agent.trials ?? 1); trial++) {
        const answer = agent.replayAnswer?.(sample.id, trial) ?? null;
        const output = readText(answer);
        if (output === null) {
          count(nameUnread(answer));
          continue;
        }
        const read = readOutput(output, kind, sample);
        count(read.answer === null ? 'not at all' : read.certain ? 'surely' : 'with doubt');
        const name = (agent.trials ?? 1) > 1 ? `${sample.id}, trial ${trial}` : sample.id;
        showOne(name, sample, output, read, print);
      }
  }
  print('');
  print(summarizeReadings(counts));
}

const REMEDY = 'Name those of this dataset, or check the dataset that they are for.';

const OWN_SUITE =
  'A suite of your own compares the whole output, unless its eval file says otherwise. This shows the final answers that EVAL_GAIA would read.';

/** How an output was read. */
const READINGS = ['surely', 'with doubt', 'not at all'];

/** Why an output was not read, with the words for one and for several. */
const UNREAD: Readonly<Record<string, readonly [one: string, several: string]>> = {
  'no text': ['has no text to read', 'have no text to read'],
  bare: ['is a bare answer, scored as it is', 'are bare answers, scored as they are'],
  missing: ['was not recorded', 'were not recorded'],
};

/** A text to read; null where none was recorded, or where the answer is scored as it is. */
function readText(answer: Answer | AgentError | null): string | null {
  if (answer === null || answer instanceof AgentError || answer.verbatim === true) return null;
  return typeof answer.output === 'string' ? answer.output : null;
}

function nameUnread(answer: Answer | AgentError | null): keyof typeof UNREAD {
  if (answer === null) return 'missing';
  if (answer instanceof AgentError) return 'no text';
  if (answer.reason === 'missing') return 'missing';
  return typeof answer.output === 'string' ? 'bare' : 'no text';
}

/** "2 outputs read: 1 surely, 0 with doubt, 1 not at all; 3 have no text to read" */
function summarizeReadings(counts: ReadonlyMap<string, number>): string {
  const read = READINGS.map((how) => counts.get(how) ?? 0);
  const total = read.reduce((sum, count) => sum + count, 0);
  const parts = READINGS.map((how, index) => `${read[index]} ${how}`);
  const unread = Object.entries(UNREAD).flatMap(([why, [one, several]]) => {
    const count = counts.get(why) ?? 0;
    return count === 0 ? [] : [plural(count, one, several)];
  });
  const others = unread.length === 0 ? '' : `; ${unread.join(', ')}`;
  return `${plural(total, 'output')} read: ${parts.join(', ')}${others}`;
}

type Read = Readonly<{
  answer: string | null;
  how: string;
  certain: boolean;
  claims: readonly AnswerClaim[];
  /** "correct", "incorrect", "no_answer"; null without an expected answer. */
  state: string | null;
}>;

function readOutput(output: string, kind: SuiteKind, sample: Sample): Read {
  const { target } = sample;
  if (kind === 'mcq') {
    const { choices, ...read } = extractChoice(output, sample, { explain: true });
    const state = target === null ? null : gradeMcq(output, target, sample).state;
    return { ...read, answer: choices?.join() ?? null, state };
  }
  const read = extractFinalAnswer(output, { explain: true });
  const isPlain = ['string', 'number'].includes(typeof target) || sample.accepts === 'any';
  return { ...read, state: isPlain ? gradeGaia(output, listAccepted(sample)).state : null };
}

function showOne(
  name: string,
  { target }: Sample,
  output: string,
  { answer, how, certain, claims, state }: Read,
  print: CommandContext['print'],
): void {
  const expected = target === null ? 'hidden' : showValue(target);
  const found = answer === null ? `nothing (${how})` : `${quote(answer)} (${how})`;
  const verdict = state === null ? '' : `, ${state}`;
  print('');
  print(
    escapeLine(
      `${name}: expected ${expected}, read ${found}${verdict}${certain ? '' : ', not certain'}`,
      400,
    ),
  );
  for (const claim of claims) print(escapeLine(`  ${describeClaim(claim, output)}`, 400));
  if (claims.length === 0)
    print(escapeLine(`  nothing states an answer; it ends ${quote(output.slice(-200))}`, 400));
}

/** '3:1 "The answer is B" says "B" (statement): won, since ...' */
function describeClaim({ text, start, form, says, won, why }: AnswerClaim, output: string): string {
  const before = output.slice(0, start).split('\n');
  const place = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  const answer = says === null ? 'no answer' : quote(says);
  return `${won ? '+' : '-'} ${place} ${quote(text)} says ${answer} (${form}): ${why}`;
}
