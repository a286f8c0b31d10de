import { expect, test } from 'vitest';
import { findInteger } from '../examples/suites/aime/find-integer.ts';
import { findLetter as findGpqa } from '../examples/suites/gpqa/find-letter.ts';
import { findLetter as findMmluPro } from '../examples/suites/mmlu-pro/find-letter.ts';
import { VERDICT } from '../src/judge/reply-form.ts';
import { parseVerdict } from '../src/judge/verdict.ts';
import { gradeMath } from '../src/matchers/grade-math.ts';
import { Stopwatch } from '../src/processes/stopwatch.ts';
import { gradeOutput, readOutput } from '../src/run/grade.ts';
import { toJudgeInput } from '../src/run/jury.ts';
import { CALL, UNSPENT } from '../src/run/lanes.fixture.ts';
import { scorer } from '../src/run/named-scores.ts';
import { playConversation } from '../src/run/play-conversation.ts';
import { openUserModel } from '../src/run/user-model.ts';
import { extractFinalAnswer } from '../src/scoring/gaia/extract-final-answer.ts';
import { gradeGaia } from '../src/scoring/gaia/grade-gaia.ts';
import { gradeNumber } from '../src/scoring/math/grade-number.ts';
import { extractChoice } from '../src/scoring/mcq/extract-choice.ts';
import { readConfig } from '../src/settings.ts';
import type { Json, Message } from '../src/words/sample.ts';
import { toText } from '../src/words/show.ts';
import { toAsked, toSample } from '../src/words/types.fixture.ts';
import { makeFile } from './make-folder.ts';
import { makeRun } from './make-run.ts';

/*
 * Each reader of outputs against each kind of thought. A new reader gets a line here; the marks are
 * tested one by one in src/words/thoughts.test.ts.
 */

type Reader = Readonly<{
  /** What the model thinks, which the reader would take if it were said. */
  thought: string;
  said: string;
  /** What is read; null or "" if there is nothing. */
  read(output: string): unknown;
  expected: unknown;
}>;

const choices = { A: 'Tin', B: 'Iron', C: 'Gold' };
const sample = toSample({ input: 'How many?', target: '7' });
const answers = { thought: 'FINAL ANSWER: 6', said: 'FINAL ANSWER: 7' };
const letters = { thought: 'The answer is (A).', said: 'The answer is (B).', expected: 'B' };
const plain = { thought: '6', said: '7', expected: '7' };

async function grade(output: string, target: Json = '7') {
  const { answer, correct } = await gradeOutput({ file: 'f' }, output, target, sample, {}, 1000);
  return answer === null ? null : correct;
}

/** What the scores of a suite see of an output. */
async function seeInScore(output: string, look: (input: { readonly output: Json }) => unknown) {
  const scores = { seen: (input: { readonly output: Json }) => look(input) !== undefined };
  await gradeOutput({ file: 'f', scores }, output, '7', sample, {}, 1000);
}

async function speakAsUser(said: string) {
  const file = makeFile(
    'guest.mjs',
    'export default ({ messages }) => ({ output: JSON.parse(/^@(.*)$/m.exec(messages[0].content)[1]), costUsd: 0 });',
  );
  const config = readConfig({ EVAL_USER: `module:${file}` });
  const run = { config, folder: makeRun([]), ...UNSPENT };
  const model = await openUserModel({}, { name: 'own', file: 'f' }, run);
  const user = { persona: null, goal: `@${JSON.stringify(said)}`, maxTurns: 2 };
  const speaker = model.speakFor(sample, user, CALL);
  const reply = await speaker.speak([]).catch(() => ({ said: '' }));
  return reply.said ?? '[[done]]';
}

/** What an agent that says this is sent back with the next message. */
async function sendBack(output: string) {
  const asked: (readonly Message[])[] = [];
  const agent = { name: 'a', answer: async () => ({ output }) };
  const side = {
    script: ['Hi', 'And?'],
    simulated: null,
    toQuestion: (messages: readonly Message[]) => toAsked('Hi', { messages }),
  };
  const ask = async (_: unknown, { messages }: { messages: readonly Message[] }) => {
    asked.push(messages);
    return { output };
  };
  await playConversation(agent, side, new Stopwatch(), ask, () => {});
  return asked[1]?.[1]?.content;
}

const READERS: Readonly<Record<string, Reader>> = {
  'a choice': { ...letters, read: (output) => extractChoice(output, { choices }).choices?.join() },
  'an answer of GAIA': {
    ...answers,
    read: (output) => extractFinalAnswer(output).answer,
    expected: '7',
  },
  'an answer of GAIA without a marker': {
    ...plain,
    read: (output) => gradeGaia(output, '7').answer,
  },
  'a number': { ...answers, read: (output) => gradeNumber(output, '7').answer, expected: '7' },
  mathematics: {
    thought: '\\boxed{6}',
    said: '\\boxed{7}',
    read: async (output) => (await gradeMath(output, '7')).answer,
    expected: '7',
  },
  JSON: {
    thought: '{"n": 6}',
    said: '{"n": 7}',
    read: async (output) => {
      const read = await readOutput({ output: 'json' }, output, { suite: 'own', file: 'a' }, 1000);
      return 'value' in read ? toText(read.value) : null;
    },
    expected: '{"n":7}',
  },
  'JSON in a block': {
    thought: '```json\n{"n": 6}\n```',
    said: '```json\n{"n": 7}\n```',
    read: async (output) => {
      const read = await readOutput({ output: 'json' }, output, { suite: 'own', file: 'a' }, 1000);
      return 'value' in read ? toText(read.value) : null;
    },
    expected: '{"n":7}',
  },
  'an equal text': { ...plain, read: (output) => grade(output), expected: true },
  'an equal number': { ...plain, read: (output) => grade(output, 7), expected: true },
  'what a scorer gets': {
    ...plain,
    read: async (output) => {
      let seen: unknown;
      const look = scorer(({ output: own }: { output?: unknown }) => {
        seen = own;
        return { score: 1 };
      });
      await seeInScore(output, (input) => look({ ...input, input: '', target: '' }));
      return seen;
    },
  },
  'what a judge is shown': {
    ...plain,
    read: (output) => toJudgeInput(sample, output, 'Is it 7?', {}).outputs[0] ?? '',
  },
  "a judge's verdict": {
    thought: '{"reason": "It is right.", "verdict": "pass"}',
    said: '{"reason": "It is wrong.", "verdict": "fail"}',
    read: (output) => parseVerdict(output, VERDICT)?.verdict,
    expected: 'fail',
  },
  "a simulated user's message": {
    thought: 'I have it, so [[done]]',
    said: 'Thanks, and the price?',
    read: speakAsUser,
    expected: 'Thanks, and the price?',
  },
  'what is sent back to an agent': { ...plain, read: sendBack },
  "AIME's integer": {
    thought: 'Maybe 6.',
    said: 'So it is 7, or 7.',
    read: (output) => findInteger(output).answer,
    expected: '7',
  },
  "GPQA's letter": { ...letters, read: (output) => findGpqa(output).answer },
  "MMLU-Pro's letter": { ...letters, read: (output) => findMmluPro(output).answer },
};

/** How an output with a thought is written, and one that ends in its thought. */
const FORMS: Readonly<Record<string, readonly [(t: string, s: string) => string, string]>> = {
  tags: [(thought, said) => `<think>\n${thought}\n</think>\n\n${said}`, '<thinking>'],
  'a closing tag alone': [(thought, said) => `${thought}\n</think>\n${said}`, '<reasoning>\n'],
  'special tokens': [
    (thought, said) => `<|START_THINKING|>${thought}<|END_THINKING|>${said}<|END_RESPONSE|>`,
    '<|START_THINKING|>',
  ],
  'words in brackets': [(thought, said) => `[THINK]${thought}[/THINK]${said}</s>`, '[THINK]'],
  channels: [
    (thought, said) =>
      `<|channel|>analysis<|message|>${thought}<|end|><|start|>assistant<|channel|>final<|message|>${said}<|return|>`,
    '<|channel|>analysis<|message|>',
  ],
  'channels without their marks': [
    (thought, said) => `analysisWe need to see. ${thought}assistantfinal${said}`,
    'analysisWe need to see. ',
  ],
};

const CASES = Object.entries(READERS).flatMap(([name, reader]) =>
  Object.entries(FORMS).map(([form, [write, opening]]) => ({ name, form, reader, write, opening })),
);

test.each(CASES)(
  '$name is never read from a thought: $form',
  async ({ reader, write, opening }) => {
    const { thought, said, read, expected } = reader;
    expect(await read(write(thought, said))).toBe(expected);
    // What was said before an unfinished thought is no answer either, nor what is in it.
    expect((await read(opening + thought)) || null).toBeNull();
    expect(await read(said)).toBe(expected);
  },
);
