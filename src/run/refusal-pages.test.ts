import { expect, test } from 'vitest';
import { RecordError } from '../data/files/record.ts';
import { told } from '../words/told.ts';
import { refusing } from './failure.ts';
import { withPage } from './refusal-pages.ts';

test.each<[page: string | null, message: string, name?: string]>([
  ['settings.md', 'EVAL_LIMIT must be a whole number from 1 to 9, got "0".'],
  ['settings.md', 'EVAL_LIMTI ("3") is not a setting. Did you mean EVAL_LIMIT?'],
  ['settings.md', 'EVAL_AGENT must be replay or module:FILE, got "gpt-5". Write openai:gpt-5.'],
  ['settings.md', 'EVAL_BASELINE must be an earlier run, or latest, got "x".'],
  ['settings.md', 'vitest.config.ts: "limits" in "defaults" is not a setting.'],
  [
    'settings.md',
    '.evals: the disk is full (ENOSPC). Free space, or set EVAL_DIR to another folder.',
  ],
  ['settings.md#keys-and-servers', 'EVAL_AGENT=openai:m: No API key for OpenAI was found. Set it.'],
  ['agents.md', 'EVAL_AGENT=module:x.ts: no such file, got "x.ts".'],
  ['agents.md', 'EVAL_AGENT names an agent twice: "a". Name it once; EVAL_TRIALS repeats it.'],
  ['agents.md', 'evals/a.eval.ts, agent "small": "x.ts" is not a file. Correct the path.'],
  ['agents.md', 'evals/a.eval.ts, agent must be a function, got "gpt-5".'],
  [
    'agents.md#parameters-of-models',
    'EVAL_AGENT=openai:m?x=1: "x" ("1") is not a parameter of openai.',
  ],
  ['agents.md#parameters-of-models', 'EVAL_AGENT=openai:m?n=z: parameter n must be 1, got "z".'],
  [
    'package.md#what-else-to-install',
    'anthropic:m needs the package @a/sdk: npm i @a/sdk',
    'AgentError',
  ],
  [
    'package.md#what-else-to-install',
    'openai needs openai 5.0 or later, but 4.0 is installed: npm i',
    'AgentError',
  ],
  ['judging.md', 'EVAL_JUDGE=openai: no model is named.'],
  ['conversations.md#with-a-simulated-user', 'EVAL_USER=openai: no model is named.'],
  ['tuning.md#prompts-side-by-side', 'EVAL_PROMPT: "a.md" is not a file.'],
  [
    'comparing.md#what-viva-does-not-compare',
    'EVAL_BASELINE names "a" (A), but this run (B) cannot be compared with it: x',
  ],
  ['datasets.md#choose-questions', 'EVAL_IDS: "zz" matches none of 5 samples of own.'],
  ['datasets.md#choose-questions', 'The level filter "3" selects none of 5 samples.'],
  ['datasets.md#bad-records', 'a.jsonl:3: "input" is missing. Add it.', 'RecordError'],
  [
    'datasets.md#bad-records',
    'a.eval.ts, record 3: the id is there twice. Correct it in the data',
    'RecordError',
  ],
  ['datasets.md#bad-records', 'a.eval.ts, record 1 (id "w"): "group" must be text.', 'RecordError'],
  ['datasets.md', 'evals/tickets.jsonl: no such file. Correct the path.', 'RecordError'],
  [
    'datasets.md#short-answers',
    'a.eval.ts: no record has an expected answer, and the suite has no score.',
  ],
  [
    'datasets.md#the-hugging-face-hub',
    'hf:a/b: it cannot be reached (offline). Run again.',
    'HubError',
  ],
  ['tools.md#add-mcp-servers', 'x.json has no "mcpServers".'],
  [
    'ci.md#fields-of-a-gate',
    'evals/gates.json is not JSON: x. Correct it, or remove it to run without gates.',
  ],
  ['package.md#write-a-suite', 'evals/a.eval.ts: another suite has the name "a" too.'],
  [
    'package.md#write-a-suite',
    'The viva plugin did not run for this file. Add viva() to "plugins".',
  ],
  [
    null,
    'evals/a.eval.ts: "data" failed at evals/a.eval.ts:3 (Error: x). Correct the function.',
    'RecordError',
  ],
  [null, 'EVAL_AGENT=module:a.ts: the file cannot be loaded (TypeError: x). Correct it.'],
  [null, 'something of a library'],
])('%s is the page of %s', (page, message, name) => {
  const shown = page === null ? message : `${message} See docs/${page}.`;
  expect(withPage(message, name)).toBe(shown);
});

test('a message has one page, and several lines have it as the last', () => {
  const once = withPage('EVAL_LIMIT must be a number, got "x".');
  expect(withPage(once)).toBe(once);
  expect(withPage('EVAL_A ("1") is not a setting.\nEVAL_B ("1") is not a setting.')).toMatch(
    /setting\.\nSee docs\/settings\.md\.$/,
  );
});

test('what the set-up throws has its page, but not what code of the user threw', async () => {
  const refuse = (thrown: unknown) =>
    refusing([], () => Promise.reject(thrown)).catch((error: Error) => error);
  const bad = { file: 'a.jsonl', line: 3, problem: told`is bad`, remedy: 'Correct it there.' };
  expect(await refuse(new RecordError(bad))).toMatchObject({
    stack: 'Refused: a.jsonl:3: is bad. Correct it there. See docs/datasets.md#bad-records.',
  });
  const cause = Object.assign(new Error('x'), { stack: 'Error: x\n    at f (/own/agent.ts:1:2)' });
  expect(await refuse(new Error('EVAL_AGENT=module:agent.ts: broken', { cause }))).toMatchObject({
    message: 'EVAL_AGENT=module:agent.ts: broken',
  });
});
