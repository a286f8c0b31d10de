import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { readReport } from '../read-report.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { readSummary, runFolderOf, runVitest, writeReports } from './run-vitest.ts';

/**
 * Agents that quote their question wherever they can, and what is said in its place where records
 * are gated.
 */
const QUOTERS = {
  prints: [
    "console.log('%d\\u001b[2J', 5, input); console.dirxml(input); console.group(input); return '18'",
    /Output of agents is hidden/g,
  ],
  auth: ['throw Object.assign(new Error(input), { status: 401 })', /STOPPED: .* \(401, auth\)/],
  quota: ['throw Object.assign(new Error(input), { status: 402 })', /STOPPED: .* \(402, quota\)/],
  field: ["return { output: '17', [input]: 1 }", /a1 {2}field +incorrect/],
  model: ["return { output: '17', model: input }", /A \(baseline\): /],
  reason: ['return { output: null, reason: input }', /2 no answer \(in its own words\) by reason/],
} as const;

test('in CI no text of a gated record is printed or reported, whatever quotes it, unless the user says so', async () => {
  const sources = Object.entries(QUOTERS).map(([name, [body]]) => [
    `${name}.mjs`,
    `export default { name: '${name}', answer: ({ input }) => { ${body}; } };`,
  ]);
  const folder = makeFolder(Object.fromEntries(sources));
  const agents = Object.keys(QUOTERS).map((name) => `module:${folder}/${name}.mjs`);
  const { env } = writeGaiaFixture([{ id: 'a1', truth: 'SECRET' }, { id: 'a2' }]);
  const [dir, out] = [makeFolder(), makeFolder()];
  const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(out, 'page.md') };
  const asked = { ...env, CI: 'true', EVAL_AGENT: agents.join(), EVAL_CONCURRENCY: '1' };

  const full = { EVAL_SHOW_GATED: '1', EVAL_FAILURES: 'full', EVAL_DIR: dir };
  const shown = await runVitest(['run', 'evals/gaia'], { ...asked, ...full });
  for (const text of ['"SECRET"', 'Question: "What is a1?"', '[2J What is a1?'])
    expect(shown.output).toContain(text);

  const printing = ['--reporter=default', '--reporter=github-actions'];
  const writing = writeReports(out, 'json', 'junit', 'tap', 'blob');
  const args = ['run', 'evals/gaia', ...printing, ...writing];
  const hidden = await runVitest(args, {
    ...asked,
    ...job,
    EVAL_CACHE: 'off',
    EVAL_BASELINE: runFolderOf(dir),
  });
  expect(hidden.output).toMatch(/^ × a1 {2}field {2,}incorrect$/m);
  expect(hidden.output).not.toMatch(/^ FAIL |Failed Tests/m);
  for (const name of ['json', 'junit']) {
    expect(readFileSync(join(out, name), 'utf8')).toContain(
      'incorrect. Set EVAL_SHOW_GATED=1 to show',
    );
  }
  for (const [, pattern] of Object.values(QUOTERS)) expect(hidden.output).toMatch(pattern);
  expect(hidden.output.match(QUOTERS.prints[1])).toHaveLength(1);
  const folderOfRun = runFolderOf(hidden.dir);
  expect(readSummary(folderOfRun).complete).toBe(false);
  const files = ['summary.md', 'summary.json', 'manifest.json', 'report.html'].map((name) =>
    join(folderOfRun, name),
  );
  const reports = readdirSync(out).map((name) => join(out, name));
  expect(reports.length).toBeGreaterThanOrEqual(4);
  const texts = [hidden.output, ...[...files, ...reports].map(readReport)];
  expect(
    texts.filter((text) => /What is a|SECRET/.test(text)).map((text) => text.slice(0, 300)),
  ).toEqual([]);
});
