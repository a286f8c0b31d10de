import { expect, test } from 'vitest';
import { chat } from '../../test/agents/replies.ts';
import { startScriptedServer } from '../../test/agents/scripted-server.ts';
import { makeFile } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { readConfig } from '../settings.ts';
import type { Sample } from '../words/sample.ts';
import { toSample } from '../words/types.fixture.ts';
import { CALL, UNSPENT } from './lanes.fixture.ts';
import { addUsers, findUserProblems, simulateUser } from './simulate-user.ts';
import { openUserModel } from './user-model.ts';

const sample = toSample({
  input: 'Hi',
  metadata: { persona: 'Old.', goal: ' A cake. ', item: 'tea' },
});

test.each([
  ['fields of the record', {}, { persona: 'Old.', goal: 'A cake.', maxTurns: 10 }],
  [
    'texts',
    { persona: 'Young.', goal: 'Tea.', maxTurns: 3 },
    { persona: 'Young.', goal: 'Tea.', maxTurns: 3 },
  ],
  [
    'functions',
    { goal: ({ metadata }: Sample) => `A ${metadata['item']}.` },
    { persona: 'Old.', goal: 'A tea.', maxTurns: 10 },
  ],
])('takes persona and goal from %s', (_, options, user) => {
  expect(addUsers([sample], simulateUser(options), 'f.ts')).toEqual([
    { ...sample, turns: ['Hi'], user },
  ]);
});

test.each([
  ['with more turns than maxTurns', { turns: ['a', 'b', 'c'] }, '3, more than maxTurns 2'],
  ['without a goal', { metadata: {} }, 'Give the record a field "goal", or simulateUser a goal.'],
])('refuses a record %s', (_, fields, problem) => {
  const add = () => addUsers([{ ...sample, ...fields }], { maxTurns: 2 }, 'f.ts');
  expect(add).toThrow(problem);
});

test.each([
  [{ persona: 3 }, '"persona" of simulateUser must be a string or a function, got 3.'],
  [{ maxTurns: 0 }, '"maxTurns" must be a whole number from 1 to 100, got 0.'],
  [{ user: 'gpt' }, '"user" of simulateUser must be '],
  [{ user: 'gpt-5' }, ', got "gpt-5". Write openai:gpt-5.'],
  [{ user: 'replay' }, '"user" of simulateUser must be '],
  [
    { goals: 'x' },
    'simulateUser has no option "goals". It takes persona, goal, maxTurns and user.',
  ],
])('refuses %j', (options, problem) => {
  expect([...findUserProblems(options as object)].join()).toContain(problem);
});

test('refuses a suite whose user no model plays, or one whose price a budget needs, and names the setting', async () => {
  const suite = { name: 'talks', file: 'f.eval.ts' };
  const run = { config: readConfig({}), folder: makeRun([]), ...UNSPENT };
  await expect(openUserModel({}, suite, run)).rejects.toThrow(
    'suite talks has a simulated user, but no model plays it. Set EVAL_USER',
  );
  const file = makeFile('guest.mjs', 'export default () => "Hello.";');
  const config = readConfig({ EVAL_USER: `module:${file}`, EVAL_MAX_COST: '1' });
  const costly = openUserModel({}, suite, { ...run, config });
  await expect(costly).rejects.toThrow(`price of module:${file} (EVAL_USER) is not known`);
});

test.each([
  ['length', 'Its reply was cut short (max_tokens). Raise'],
  ['content_filter', 'Its reply was refused (refusal).'],
])('a reply of the user that ends by %s is no message', async (finish, problem) => {
  const { url } = await startScriptedServer(() => chat.message({ content: 'I want' }, finish));
  const config = readConfig({ EVAL_USER: `openai-chat:a?base_url=${url}/v1` });
  const run = { config, folder: makeRun([]), ...UNSPENT };
  const model = await openUserModel({}, { name: 'talks', file: 'f.eval.ts' }, run);
  const user = { persona: null, goal: 'A cake.', maxTurns: 2 };
  await expect(model.speakFor(sample, user, CALL).speak([])).rejects.toThrow(problem);
});

test.each([
  ['', 'It gave no reply.'],
  ['Agent: Sure.', 'It spoke for the agent alone.'],
  [null, 'It gave no reply (empty).'],
])('what a reply of the user without a message costs is known: %j', async (output, problem) => {
  const reply = JSON.stringify({ output, costUsd: 0.25 });
  const file = makeFile('guest.mjs', `export default () => (${reply});`);
  const config = readConfig({ EVAL_USER: `module:${file}` });
  const run = { config, folder: makeRun([]), ...UNSPENT };
  const model = await openUserModel({}, { name: 'talks', file: 'f.eval.ts' }, run);
  const user = { persona: null, goal: 'A cake.', maxTurns: 2 };
  await expect(model.speakFor(sample, user, CALL).speak([])).rejects.toMatchObject({
    message: problem,
    progress: { costUsd: 0.25 },
  });
});
