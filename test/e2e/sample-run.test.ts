import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { FILES } from '../../reporters/files.ts';
import { evaluateAsWritten, readAnsweredRun } from '../../reporters/past-run.ts';
import { writeRunFiles } from '../../reporters/publish-run.ts';
import { summarize } from '../../src/figures/summarize.ts';
import type { SuiteManifest } from '../../src/store/manifest.ts';
import type { SuiteSummary, Summary } from '../../src/words/figures.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { recompute, toRecomputed } from '../docs/recompute.ts';
import { makeFolder, makeSharedFolder } from '../make-folder.ts';
import { needPython } from '../python.ts';
import { runViva } from '../run-viva.ts';
import {
  ROOT,
  readRows,
  readSummary,
  runFolderOf,
  runVitest,
  type VitestRun,
  writeReports,
} from './run-vitest.ts';

const out = makeSharedFolder();
const RECORDER = pathToFileURL(join(ROOT, 'test/fixtures/record-packages.mjs')).href;
const REPORTERS = writeReports(out, 'json', 'junit', 'blob');

/**
 * What the suites themselves need: to hold calls back, to read a table, for a rule, for the
 * report's page.
 */
const NEEDED = [
  'p-limit',
  'csv-parse',
  'fastest-levenshtein',
  'tinyglobby',
  'tinyrainbow',
  'preact',
  'htm',
];

describe('pnpm vitest run evals, with a few more reporters and a retry', () => {
  let run: VitestRun;
  let folder: string;
  let rows: readonly SampleResult[];
  let summary: Summary;

  beforeAll(async () => {
    const args = ['run', 'evals', '--retry=3', '--reporter=default', ...REPORTERS];
    const env = {
      EVAL_DIR: join(out, 'evals'),
      PACKAGES_FILE: join(out, 'packages'),
      NODE_OPTIONS: `--import=${RECORDER}`,
    };
    run = await runVitest(args, env);
    folder = runFolderOf(run.dir);
    rows = readRows(folder);
    summary = readSummary(folder);
  });

  test('prints what the README shows, in at most 90 lines', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const [, block = ''] = /^```text\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    // The run folder has another name each time.
    const lines = block
      .split('\n')
      .filter((line) => !/^(\s*|\.\.\.| {2}\w[\w ]+: .*\/.+)$/.test(line));
    expect(lines.length).toBeGreaterThan(10);
    const printed = run.output.split('\n');
    expect(lines.filter((line) => !printed.includes(line))).toEqual([]);
    expect(run.code).toBe(0);
  });

  test('keeps the figures of the rows, recounted, and prints them', () => {
    const bySuite = (a: SuiteSummary, b: SuiteSummary) => a.suite.localeCompare(b.suite);
    expect(summary.suites).toEqual(summarize(rows).suites.toSorted(bySuite));
    for (const { suite, groups } of summary.suites) {
      for (const group of groups) {
        const members = rows.filter(
          (row) => row.suite === suite && ['all', row.group].includes(group.group),
        );
        const correct = members.filter(({ state }) => state === 'correct').length;
        expect([group.n, group.accuracy]).toEqual([members.length, correct / members.length]);
        const percent = ((100 * correct) / members.length).toFixed(1);
        const line = ` {2}${group.group} +${members.length} +${correct} +${percent} %`;
        expect(run.report).toMatch(new RegExp(`^${line}`, 'm'));
      }
    }
  });

  test('has figures that a page of Python finds in the rows', (context) => {
    needPython(context);
    const found = summary.suites.map(
      (suite) =>
        [`${suite.suite} ${suite.dataset} ${suite.agent}`, toRecomputed(suite, null)] as const,
    );
    expect(recompute(folder)).toEqual({ suites: Object.fromEntries(found), pairs: {} });
  });

  test('writes every file of the run folder', () => {
    const isOf = ({ name }: (typeof FILES)[number], entry: string) => matchesGlob(entry, name);
    const entries = readdirSync(folder);
    expect(entries.filter((entry) => !FILES.some((kind) => isOf(kind, entry)))).toEqual([]);
    const lacking = FILES.filter((kind) => !entries.some((entry) => isOf(kind, entry)));
    // A replay was asked nothing.
    expect(lacking.map(({ name }) => name)).toEqual(['prompts', 'traces', 'workspace']);
    const { suites } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const ids = suites.flatMap((suite: SuiteManifest) => suite.questions.map(({ id }) => id));
    expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });

  test("gives Vitest's reporters the state of each case, and asks nothing twice for a retry", () => {
    expect(rows).toHaveLength(78);
    const { testResults } = JSON.parse(readFileSync(join(out, 'json'), 'utf8'));
    type Case = {
      readonly meta: { readonly eval: { readonly id: string; readonly state: string } };
    };
    const states = testResults.flatMap(
      ({ assertionResults }: { assertionResults: readonly Case[] }) =>
        assertionResults.map(({ meta }) => `${meta.eval.id} ${meta.eval.state}`),
    );
    expect(states.toSorted()).toEqual(rows.map(({ id, state }) => `${id} ${state}`).toSorted());
    expect(existsSync(join(out, 'junit'))).toBe(true);
    expect(existsSync(join(out, 'blob'))).toBe(true);
  });

  test('viva verify finds no fault, and quotes nothing of made-up predictions', async () => {
    const { code, output } = await runHere('verify', 'latest');
    expect(code).toBe(1);
    expect(output.split('\n').toSorted()).toEqual([
      '  gaia: 29 outputs graded again',
      '  mcq: 47 outputs graded again',
      ...['gaia', 'mcq'].map((suite) =>
        expect.stringMatching(`^${suite} .*: nothing to quote, .* made up$`),
      ),
    ]);
    const copy = copyRun();
    expect(await runHere('verify', copy)).toEqual({
      code: 0,
      output: expect.stringContaining(QUOTE),
    });
  });

  test.each([
    [
      'samples.jsonl',
      /"state":"incorrect"/,
      '"state":"correct"',
      /1 of \d+ verdicts differs.*: \S+ \(correct, now inc/,
    ],
    [
      'samples.jsonl',
      /"target":"B"/,
      '"target":"Z"',
      'mcq: expected answers that name no option: Q\\d+\n',
    ],
    ['samples.jsonl', /^.*\n/, '', 'NOT COMPLETE: 1 of '],
    ['samples.jsonl', /^(.*\n)/, '$1$1', 'NOT COMPLETE: 1 test has more'],
    [
      'samples.jsonl',
      '"cached":false',
      '"cached":true',
      / · mine · .+: cached 0 in summary.json, 1 by the rows/,
    ],
    [
      'summary.json',
      '"accuracy": 0.6666666666666666',
      '"accuracy": 0.7',
      'gaia · mine · all: accuracy 0.7 in summary.json, 0.6666666666666666 by the rows\n',
    ],
    ['questions-mcq.json', '{', '', 'mcq: its file of questions is missing or cannot be read'],
    ['manifest.json', '"shard": null', '"shard": {"index": 1, "count": 2}', 'it is shard 1 of 2'],
    ['manifest.json', '"ids": null', '"ids": ["a*"]', 'EVAL_IDS picked its questions by hand'],
    ['end.json', '"errors": []', '"errors": ["a hook failed"]', 'RUN ERROR: a hook failed'],
    ['end.json', '"name": null', '"name": "level 1"', 'it was narrowed by -t'],
  ])('viva verify finds an edit of %s (%s)', async (file, from, to, problem) => {
    const copy = copyRun();
    const text = readFileSync(join(copy, file), 'utf8');
    const edited = text.replace(from, to);
    expect(edited).not.toBe(text);
    writeFileSync(join(copy, file), edited);
    expect(await runHere('verify', copy)).toEqual({
      code: 1,
      output: expect.stringMatching(problem),
    });
  });

  /** The run as if it were of an agent whose figures may be quoted. */
  function copyRun(): string {
    const copy = join(makeFolder(), 'run');
    cpSync(folder, copy, { recursive: true });
    for (const name of ['manifest.json', 'samples.jsonl']) {
      const text = readFileSync(join(copy, name), 'utf8');
      writeFileSync(join(copy, name), text.replaceAll(/"replay"(?!:)/g, '"mine"'));
    }
    writeRunFiles(evaluateAsWritten(readAnsweredRun(copy)));
    return copy;
  }

  test('names the wrong answers that other rules accept', () => {
    const details = readFileSync(join(folder, 'summary.md'), 'utf8');
    expect(details).toMatch(/the rule contains accepts 1 wrong answer \\\(\S+\)/);
  });

  test('loads none of the libraries of agents, tools and attachments', () => {
    const loaded = new Set(readFileSync(join(out, 'packages'), 'utf8').trim().split('\n'));
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const packages = Object.keys({ ...dependencies, ...peerDependencies }).filter(
      (name) => name !== 'vitest',
    );
    expect(packages).toContain('mammoth');
    expect(packages.filter((name) => loaded.has(name)).toSorted()).toEqual(NEEDED.toSorted());
  });
});

/** What may be quoted of the answers to GAIA's sample. */
const QUOTE = [
  'gaia · sample (hash df2d2c6813c218d1) · mine (model made-up-model)',
  '  n = 30 questions · accuracy 66.7 % (20 of 30, 95 % interval 48.8 - 80.8 %)',
  '  prompt not known · replayed 20',
].join('\n');

function runHere(...words: readonly string[]) {
  return runViva(words, { EVAL_DIR: join(out, 'evals') });
}
