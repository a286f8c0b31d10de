import type { Question } from './world.ts';

export const SUITES = ['gaia', 'typed', 'conversations'] as const;

/** What is asked: files in GAIA's layout, values typed into the eval file, or conversations. */
export type SuiteName = (typeof SUITES)[number];

/** The outputs of a suite, with VERSION for that of the agent. */
export function toOutput(suite: SuiteName, text: string, answer: number): unknown {
  if (suite !== 'typed') return `${text}\nFINAL ANSWER: ${answer}`;
  return {
    answer,
    said: text,
    list: [[], null, -0.5, { 'a "b"': 'é\u2028🙂' }],
    none: {},
    no: false,
  };
}

/** The eval file of a suite. */
export function writeSuite(suite: SuiteName, questions: readonly Question[]): string {
  if (suite === 'gaia') return "import 'viva/gaia';\n";
  const records = suite === 'typed' ? questions.map(toTypedRecord) : questions.map(toConversation);
  const score =
    suite === 'typed'
      ? '({ output, target }) => output.answer === target.answer'
      : "({ output, target }) => output.endsWith('FINAL ANSWER: ' + target)";
  return `import { defineEval } from 'viva';
import { answer } from '../agent.mjs';
const data = ${JSON.stringify(records, null, 1)};
await defineEval('${suite}', { data, agent: answer, free: true, score: ${score} });
`;
}

function toTypedRecord({ id, group }: Question) {
  const input = { ask: `What is ${id}?`, of: [17, { deep: [null, 'ü', 1e21] }], no: {} };
  return { id, group: `level ${group}`, input, target: { answer: 17, also: [] } };
}

function toConversation({ id, group, turns }: Question) {
  const texts = Array.from({ length: turns }, (_, index) => `What is ${id}, ${index}?`);
  return { id, group: `level ${group}`, turns: texts, target: '17' };
}
