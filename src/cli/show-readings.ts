import type { AgentSpec } from '../agents/kinds.ts';
import { createReplays } from '../agents/replay.ts';
import type { SuiteKind } from '../datasets/shape.ts';
import type { AnswerClaim } from '../scoring/claim.ts';
import { extractFinalAnswer } from '../scoring/gaia/extract-final-answer.ts';
import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { extractChoice } from '../scoring/mcq/extract-choice.ts';
import { gradeMcq } from '../scoring/mcq/grade-mcq.ts';
import { escapeLine, plural, quote, showValue } from '../text/show.ts';
import { AgentError, type Answer, type Sample } from '../types.ts';
import type { CommandContext } from './command.ts';

/**
 * Prints how each output of recorded predictions is read: all places that state an answer, with
 * the form that read them, what they say, and why one won and the others lost.
 */
export function showReadings(
  source: string,
  kind: SuiteKind,
  samples: readonly Sample[],
  print: CommandContext['print'],
): void {
  const suite = { suite: kind, ids: samples.map(({ id }) => id), predictions: '' };
  const counts = { surely: 0, 'with doubt': 0, 'not at all': 0 };
  for (const agent of createReplays(toSpec(source), suite)) {
    for (const note of agent.notes ?? []) print(escapeLine(note, 1000));
    for (const sample of samples)
      for (let trial = 1; trial <= (agent.trials ?? 1); trial++) {
        const answer = agent.replayAnswer?.(sample.id, trial) ?? null;
        const output = answer instanceof AgentError ? null : toOutput(answer);
        if (output === null) continue;
        const read = readOutput(output, kind, sample);
        counts[read.answer === null ? 'not at all' : read.certain ? 'surely' : 'with doubt'] += 1;
        const name = (agent.trials ?? 1) > 1 ? `${sample.id}, trial ${trial}` : sample.id;
        showOne(name, sample, output, read, print);
      }
  }
  print('');
  const parts = Object.entries(counts).map(([how, count]) => `${count} ${how}`);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  print(`${plural(total, 'output')} read: ${parts.join(', ')}`);
}

function toSpec(target: string): AgentSpec {
  return { kind: 'replay', target, text: `replay:${target}` };
}

/** A text to read; null where none was recorded, or where the answer is scored as it is. */
function toOutput(answer: Answer | null): string | null {
  return answer === null || answer.verbatim === true || typeof answer.output !== 'string'
    ? null
    : answer.output;
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
  const wanted = typeof target === 'string' || typeof target === 'number' ? target : null;
  return { ...read, state: wanted === null ? null : gradeGaia(output, wanted).state };
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
  const said = says === null ? 'no answer' : quote(says);
  return `${won ? '+' : '-'} ${place} ${quote(text)} says ${said} (${form}): ${why}`;
}
