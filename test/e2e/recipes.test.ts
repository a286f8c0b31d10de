import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { responses } from '../agents/replies.ts';
import { startScriptedServer } from '../agents/scripted-server.ts';
import { copyProject } from './copy-project.ts';
import { ROOT, readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The text of a recipe: from its heading to the next. */
function findRecipe(title: string): string {
  const [, rest = ''] = readme.split(`### ${title}\n`);
  return rest.split(/^#{2,3} /m)[0] ?? '';
}

/** Does what a recipe says: writes its new files, and replaces in the named files each "-" block by its "+" block. */
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
    for (const [, removed = '', added = ''] of `${lines.join('\n')}\n`.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)+)/gm)) {
      const [before, after] = [removed, added].map((side) => side.trimEnd().replaceAll(/^[-+]/gm, ''));
      if (before === undefined || !text.includes(before)) throw new Error(`${path} has no ${JSON.stringify(before)}.`);
      text = text.replace(before, () => after ?? '');
    }
    writeFileSync(file, text);
  }
}

describe('the recipes of the README', () => {
  test('add a dataset layout', async () => {
    const project = copyProject();
    follow(findRecipe('Add a dataset layout'), project);
    writeFileSync(
      join(project, 'cards.jsonl'),
      '{"front": "2 + 3?", "back": "5"}\n{"front": "Sea?", "back": "blue"}\n',
    );
    writeFileSync(join(project, 'x.ts'), "export default () => 'FINAL ANSWER: 5';\n");
    const run = await runVitest(
      ['run', 'evals/gaia'],
      { EVAL_GAIA: 'cards.jsonl', EVAL_AGENT: 'module:x.ts' },
      { cwd: project },
    );
    expect(run.report).toContain('gaia: Flash cards: 2 records.');
    expect(
      readRows(runFolderOf(run.dir))
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['correct', 'incorrect']);
  });

  test('add an agent', async () => {
    const project = copyProject();
    follow(findRecipe('Add an agent'), project);
    const run = await runVitest(['run', 'evals/mcq'], { EVAL_AGENT: 'constant:C' }, { cwd: project });
    expect(run.report).toContain('mcq · sample · constant:C');
    expect(new Set(readRows(runFolderOf(run.dir)).map(({ answer }) => answer))).toEqual(new Set(['C']));
  });

  test('add a tool', async () => {
    const project = copyProject();
    follow(findRecipe('Add a tool'), project);
    const call = responses.calls([{ name: 'count_letters', args: '{"text":"noon"}' }]);
    const server = await startScriptedServer(({ body }) => (body.input.length > 1 ? responses.text('x') : call));
    const env = {
      EVAL_AGENT: 'openai:m',
      EVAL_LIMIT: '1',
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `${server.url}/v1`,
    };
    await runVitest(['run', 'evals/mcq'], env, { cwd: project });
    expect(server.requests[1]?.body.input.at(-1)).toMatchObject({ output: 'n: 2, o: 2' });
  });

  test('add a scoring rule', async () => {
    const project = copyProject();
    follow(findRecipe('Add a scoring rule'), project);
    const run = await runVitest(['run', 'evals/gaia'], {}, { cwd: project });
    const rows = readRows(runFolderOf(run.dir));
    const rules = rows.flatMap((row) => (row.rules === null ? [] : [Object.keys(row.rules)]));
    expect(rules[0]).toEqual(['official', 'exact', 'contains', 'bidirectional', 'case-sensitive']);
    const credits = rows.map(({ partial }) => partial?.['case-sensitive'] ?? 0);
    const mean = credits.reduce((sum, credit) => sum + credit, 0) / rows.length;
    const [suite] = readSummary(runFolderOf(run.dir)).suites;
    const correct = rows.filter(({ state }) => state === 'correct').length;
    expect(credits.some((credit) => credit > 0 && credit < 1)).toBe(true);
    expect(suite?.partial).toEqual({ 'case-sensitive': expect.closeTo(mean, 9) });
    expect(suite?.groups.at(-1)?.accuracy).toBe(correct / rows.length);
    expect(readFileSync(join(runFolderOf(run.dir), 'summary.md'), 'utf8')).toContain(': case-sensitive ');
  });

  test('add a report column', async () => {
    const project = copyProject();
    follow(findRecipe('Add a report column'), project);
    const run = await runVitest(['run', 'evals/gaia'], {}, { cwd: project });
    expect(run.report).toMatch(/p95 +wrong +no answer/);
    expect(readFileSync(join(runFolderOf(run.dir), 'summary.md'), 'utf8')).toContain('| wrong |');
  });

  test('pass the type checker, all of them together', () => {
    const project = copyProject();
    for (const title of ['dataset layout', 'n agent', 'tool', 'scoring rule', 'report column']) {
      follow(findRecipe(title === 'n agent' ? 'Add an agent' : `Add a ${title}`), project);
    }
    const config = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'));
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ ...config, exclude: ['node_modules', '**/*.test.ts'] }),
    );
    expect(() => execFileSync(join(ROOT, 'node_modules/.bin/tsc'), { cwd: project, stdio: 'pipe' })).not.toThrow();
  });
});

describe('the code of the README', () => {
  test('gives what its comments say', async () => {
    const [, code = ''] = /^```ts\n(import \{ gradeGaia[\s\S]*?)^```$/m.exec(readme) ?? [];
    const { gradeGaia, gradeMcq, scoreGaia } = await import('../../src/index.ts');
    const lines = [...code.matchAll(/^(.*); \/\/ (.*)$/gm)];
    expect(lines).toHaveLength(3);
    for (const [, expression = '', expected = ''] of lines) {
      const evaluate = new Function('gradeGaia', 'gradeMcq', 'scoreGaia', `return [${expression}, ${expected}]`);
      const [received, wanted] = evaluate(gradeGaia, gradeMcq, scoreGaia);
      expect(received).toBe(wanted);
    }
  });

  test('shows verdicts that the official rule gives', async () => {
    const { scoreGaia } = await import('../../src/index.ts');
    const rows = [...readme.matchAll(/^\| `(.*)` \| `(.*)` \| (correct|wrong) \|/gm)];
    expect(rows.length).toBeGreaterThan(5);
    for (const [, answer = '', truth = '', verdict] of rows) {
      expect([answer, truth, scoreGaia(answer, truth).correct ? 'correct' : 'wrong']).toEqual([answer, truth, verdict]);
    }
  });
});
