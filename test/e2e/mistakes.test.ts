import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyProject } from './copy-project.ts';
import { runVitest } from './run-vitest.ts';

/** What TypeScript does not see, as options of a suite, and what viva says. `test/types/mistakes.ts` has the rest. */
const MISTAKES: Readonly<Record<string, readonly [options: string, message: string]>> = {
  'a model without its kind': ["data, agent: 'gpt-5'", 'got "gpt-5". Write openai:gpt-5.'],
  'an agent file that does not exist': [
    "data, agent: './my-agnet.ts'",
    '"evals/own/my-agnet.ts" is not a file.',
  ],
  'a prompt without the question': [
    "data, agent, prompt: 'Answer briefly.'",
    'Write {{question}} where the question belongs.',
  ],
  'a misspelt field of a prompt': [
    "data, agent, prompt: '{{queston}}'",
    'has an unknown placeholder, "{{queston}}".',
  ],
  'a file of records that does not exist': [
    "data: './ticket.jsonl', agent",
    'evals/own/ticket.jsonl: no such file.',
  ],
  'an id twice': [
    "data: [{ id: 'b', input: '?' }, { id: 'b', input: '!' }], agent",
    'the id already belongs to record 1, got "b".',
  ],
  'a question under another name': [
    "data: [{ text: '?', target: 'a' }], agent",
    'Call it "input" or "question", or name its field by "map" in the eval file.',
  ],
  'a target under another name': [
    "data: [{ input: '?', tagret: 'a' }], agent",
    '"tagret" is not read. If it is the expected answer, call it "target".',
  ],
  'a judge where no model is named': [
    "data, agent, score: judge('Is it so?')",
    'its score asks a judge, but none is named. Set EVAL_JUDGE',
  ],
  'a wrong type behind a cast': [
    'data, agent, trials: JSON.parse(\'"3"\')',
    '"trials" must be a number, got "3".',
  ],
  'two suites of one name': [
    "data, agent }); await defineEval('two-suites-of-one-name', { data, agent",
    'another suite has the name "two-suites-of-one-name" too.',
  ],
};

test('what TypeScript does not find is refused before anything is asked', async () => {
  const project = copyProject();
  const folder = join(project, 'evals/own');
  mkdirSync(folder);
  for (const [name, [options]] of Object.entries(MISTAKES))
    writeFileSync(join(folder, `${name.replaceAll(' ', '-')}.eval.ts`), toEval(name, options));
  const { output } = await runVitest(['run', 'evals/own'], {}, { cwd: project });
  for (const [name, [, message]] of Object.entries(MISTAKES))
    expect.soft(output, name).toContain(message);
  expect(output).toContain('exit 1: nothing was asked');
  expect(existsSync(join(folder, 'asked'))).toBe(false);
});

function toEval(name: string, options: string): string {
  return `import { writeFileSync } from 'node:fs';
import { defineEval, judge } from 'viva';
const data = [{ id: 'a', input: '?', target: 'a' }];
const agent = () => {
  writeFileSync(new URL('asked', import.meta.url), '');
  return 'a';
};
await defineEval('${name.replaceAll(' ', '-')}', { ${options} });`;
}
