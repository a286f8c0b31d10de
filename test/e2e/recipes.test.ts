import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Summary } from '../../src/words/figures.ts';
import { responses } from '../agents/replies.ts';
import { startScriptedServer } from '../agents/scripted-server.ts';
import { copyProject } from './copy-project.ts';
import { ROOT, readRows, runFolderOf, runVitest } from './run-vitest.ts';

const page = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The text of a recipe: from its heading to the next. */
function findRecipe(title: string): string {
  const [, rest = ''] = page.split(`## ${title}\n`);
  return rest.split(/^## /m)[0] ?? '';
}

/**
 * Does what a recipe says: writes its new files, and replaces in the named files each "-" block by
 * its "+" block.
 */
function follow(recipe: string, project: string): void {
  for (const [, kind, block = ''] of recipe.matchAll(/^```(ts|diff)\n([\s\S]*?)^```$/gm)) {
    if (kind === 'ts') writeNewFile(block, project);
    else applyChanges(block, project);
  }
}

function writeNewFile(block: string, project: string): void {
  const [first = '', ...lines] = block.split('\n');
  const file = join(project, first.replace('// ', ''));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.join('\n'));
}

function applyChanges(block: string, project: string): void {
  for (const part of block.split(/^--- /m).slice(1)) {
    const [path = '', ...lines] = part.trimEnd().split('\n');
    const file = join(project, path);
    let text = readFileSync(file, 'utf8');
    for (const [, removed = '', added = ''] of `${lines.join('\n')}\n`.matchAll(
      /((?:^-.*\n)+)((?:^\+.*\n)+)/gm,
    )) {
      const [before, after] = [removed, added].map((side) =>
        side.trimEnd().replaceAll(/^[-+]/gm, ''),
      );
      if (before === undefined || !text.includes(before))
        throw new Error(`${path} has no ${JSON.stringify(before)}.`);
      text = text.replace(before, () => after ?? '');
    }
    writeFileSync(file, text);
  }
}

/** Uses what the recipes add to settings, gates, matchers and commands. */
const USES = `
import { COMMANDS } from './src/cli/commands.ts';
import { checkGates, parseGates } from './src/figures/gates.ts';
import { summarize } from './src/figures/summarize.ts';
import { matchers } from './src/matchers/index.ts';
import { readConfig } from './src/settings.ts';
import { toResult } from './src/figures/result.fixture.ts';

const scope = { suite: 'gaia', dataset: 'sample', group: 'all' };
const gates = parseGates({ version: 1, gates: [{ ...scope, min_graded: 3 }] }, 'gates.json');
const results = [toResult('ungraded', { dataset: 'sample', target: null })];
const [{ measure, holds, value }] = checkGates(gates, summarize(results), () => null, results);
const state = { isNot: false, utils: {} };
const printed = [];
const context = { env: { EVAL_DIR: 'there' }, print: (line) => printed.push(line) };
const code = await (await COMMANDS.where.load()).run(context);
console.log(JSON.stringify({
  setting: readConfig({ EVAL_MOTTO: 'onward' }).motto,
  gate: { measure, holds, value },
  matcher: ['BLUE', 'I think it is blue'].map((text) => matchers.toBeBrief.call(state, text, 3).pass),
  command: [code, printed],
}));
`;

/** In a process of its own: the copy registers its kinds of agents for the whole process. */
function tryInChild(project: string): unknown {
  writeFileSync(join(project, 'uses.ts'), USES);
  const { stdout, stderr } = spawnSync(process.execPath, ['uses.ts'], {
    cwd: project,
    encoding: 'utf8',
  });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const RECIPES = [
  'Add a suite',
  'Add a kind of your own',
  'Add a dataset layout',
  'Add an agent',
  'Add a tool',
  'Add a scoring rule',
  'Add a form of answers',
  'Add a report column',
  'Add a state',
  'Add a remark',
  'Add a gate',
  'Add a matcher',
  'Add a setting',
  'Add a command',
  'Add an export',
];

test('the recipes, followed together, do what they say and pass the type checker', async () => {
  const project = copyProject();
  for (const part of ['docs', 'test/docs/markdown.ts', 'test/run-viva.ts'])
    cpSync(join(ROOT, part), join(project, part), { recursive: true });
  for (const title of RECIPES) follow(findRecipe(title), project);
  const config = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'));
  const sources = { ...config, exclude: ['node_modules', '**/*.test.ts', '**/*.fixture.ts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(sources));
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--singleThreaded'], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');

  const { FORMS } = await import(join(project, 'src/scoring/mcq/forms.ts'));
  const { extractChoice } = await import(join(project, 'src/scoring/mcq/extract-choice.ts'));
  const added = FORMS.find(({ name }: { name: string }) => name === 'bet');
  const choices = { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' };
  for (const [output, chosen] of added.examples)
    expect(extractChoice(output, { choices })).toMatchObject({ how: 'bet', choices: [chosen] });

  const cards = '{"front": "2 + 3?", "back": "5"}\n{"front": "Sea?", "back": "blue"}\n';
  writeFileSync(join(project, 'cards.jsonl'), cards);
  const call = responses.calls([{ name: 'count_letters', args: '{"text":"noon"}' }]);
  const server = await startScriptedServer(({ body }) =>
    body.input.length > 1 ? responses.text('BLUE') : call,
  );
  // The environment wins over this file.
  writeFileSync(join(project, '.env'), 'EVAL_GAIA=cards.jsonl\nEVAL_AGENT=constant:6\n');
  const env = {
    EVAL_AGENT: `constant:5,shout:BLUE?end=,openai:m?base_url=${server.url}/v1`,
    OPENAI_API_KEY: 'none',
  };
  const run = await runVitest(['run', 'evals/gaia', 'evals/shouting'], env, { cwd: project });
  expect(run.report).toContain('gaia: Flash cards: 2 records, read from ');
  expect(run.report).toContain('gaia · cards · constant:5');
  const asked = server.requests.map(({ body }) => body.input.at(-1));
  expect(asked).toContainEqual(expect.objectContaining({ output: 'n: 2, o: 2' }));
  const results = runFolderOf(run.dir);
  const shouted = readRows(results).filter(
    ({ suite, agent }) => suite === 'shouting' && agent !== 'constant:5',
  );
  const states = ['sea correct', 'snow incorrect'];
  expect(shouted.map(({ id, state }) => `${id} ${state}`).toSorted()).toEqual(
    states.flatMap((state) => [state, state]),
  );
  const rows = readRows(results).filter(
    ({ suite, agent }) => suite === 'gaia' && agent === 'constant:5',
  );
  expect(rows.map(({ state }) => state).toSorted()).toEqual(['correct', 'incorrect']);
  const rules = ['official', 'exact', 'contains', 'bidirectional', 'case-sensitive'];
  expect(rows.map(({ rules }) => Object.keys(rules ?? {}))).toEqual([rules, rules]);
  const credits = rows.map(({ scores }) => Number(scores?.['case-sensitive']));
  const { suites }: Summary = JSON.parse(readFileSync(join(results, 'summary.json'), 'utf8'));
  const suite = suites.find(({ suite, agent }) => suite === 'gaia' && agent === 'constant:5');
  expect(suite?.groups.at(-1)?.scores).toMatchObject({
    'case-sensitive': {
      n: 2,
      mean: expect.closeTo(((credits[0] ?? 0) + (credits[1] ?? 0)) / 2, 9),
    },
  });
  expect(suite?.groups.at(-1)?.accuracy).toBe(0.5);
  const summary = readFileSync(join(results, 'summary.md'), 'utf8');
  expect(run.report).toMatch(/p95 +wrong +no answer/);
  expect(summary).toContain('| wrong |');
  expect(suite?.groups.at(-1)?.states).toHaveProperty('disputed', 0);
  expect(run.report).toContain('  12 results in this run\n');
  expect(readFileSync(join(results, 'ids-1.txt'), 'utf8').split('\n')).toHaveLength(3);
  expect(tryInChild(project)).toEqual({
    setting: 'onward',
    gate: { measure: 'min_graded', holds: false, value: 0 },
    matcher: [true, false],
    command: [0, ['there']],
  });
  // What the house asks of each entry.
  const tests = [
    'src/figures/measures.test.ts',
    'src/cli/commands.test.ts',
    'reporters/tables.test.ts',
  ];
  const { output } = await runVitest(['run', ...tests], {}, { cwd: project });
  expect(output).toMatch(/Test Files +3 passed/);
});

describe('the code of the README', () => {
  test('returns what its comments say', async () => {
    const [, code = ''] = /^```ts\n(import \{ gradeGaia[\s\S]*?)^```$/m.exec(readme) ?? [];
    const { gradeGaia, gradeMcq, scoreGaia } = await import('../../src/index.ts');
    const lines = [...code.matchAll(/^(.*); \/\/ (.*)$/gm)];
    expect(lines).toHaveLength(3);
    for (const [, expression = '', expected = ''] of lines) {
      const evaluate = new Function(
        'gradeGaia',
        'gradeMcq',
        'scoreGaia',
        `return [${expression}, ${expected}]`,
      );
      const [received, wanted] = evaluate(gradeGaia, gradeMcq, scoreGaia);
      expect(received).toBe(wanted);
    }
  });
});
