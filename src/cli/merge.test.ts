import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listCalibrations } from '../../reporters/describe-end.ts';
import { writeRunFiles } from '../../reporters/publish-run.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { makeShard, makeShards, type ShardFacts, splitRun } from '../../test/make-shards.ts';
import { readReport } from '../../test/read-report.ts';
import { runViva } from '../../test/run-viva.ts';
import { writeCalibration } from '../addons/calibrate/calibrate-judge.ts';
import { readComparedRun } from '../figures/compare-runs.ts';
import { evaluate } from '../figures/evaluate-run.ts';
import { JUDGE, toJudged, toResult, toRun, toTrials } from '../figures/result.fixture.ts';
import { findCalibrations } from '../figures/stored-calibrations.ts';
import { readVersion } from '../package.ts';
import { toWorkspacePath } from '../store/run-folder.ts';
import { readRun } from '../store/run-reader.ts';
import { RunWriter } from '../store/run-writer.ts';
import { toSample } from '../words/types.fixture.ts';

/** An EVAL_DIR with the two shards of the small run in it, or those of them that are given. */
function makeDir(facts: Readonly<Record<number, ShardFacts>> = {}, given = [1, 2]): string {
  const dir = makeFolder();
  for (const index of given) makeShard(index, 2, { dir: join(dir, 'runs'), ...facts[index] });
  return dir;
}

/** Merges what a pattern of a shell names, all runs of EVAL_DIR by default. */
async function runMerge(dir: string, env: Readonly<Record<string, string>> = {}, runs = list(dir)) {
  const before = list(dir);
  const { code, output } = await runViva(['merge', ...runs], { EVAL_DIR: dir, ...env });
  const made = list(dir).filter((folder) => !before.includes(folder));
  return { code, output, made, folder: made[0] ?? '' };
}

function list(dir: string): readonly string[] {
  const runs = join(dir, 'runs');
  return existsSync(runs) ? readdirSync(runs).map((name) => join(runs, name)) : [];
}

const read = (folder: string, file: string) =>
  file === 'report.html'
    ? readReport(join(folder, file))
    : readFileSync(join(folder, file), 'utf8');

describe('viva merge', () => {
  test('makes of shards in any order the folder of a run that had none', async () => {
    const { dir, whole, baseline } = makeWhole();
    const shards = splitRun(whole, 3);
    const merged = await runMerge(dir, { EVAL_BASELINE: baseline }, shards.toReversed());
    expect(listFiles(merged.folder)).toEqual(listFiles(whole));
    expect(listFiles(whole)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^traces\/own\/a\/q1-/),
        expect.stringMatching(/^workspace\/own\/a\/q1-.+\/note.txt$/),
        expect.stringMatching(/^answers-gaia-2\.csv$/),
        expect.stringMatching(/^submission-own-1\.jsonl$/),
        expect.stringMatching(/^prompts\/own-/),
      ]),
    );
    for (const file of listFiles(whole).filter((name) => /^(answers|submission)/.test(name)))
      expect(read(merged.folder, file)).toBe(read(whole, file));
    for (const file of ['summary.json', 'summary.md', 'report.html'])
      expect(rename(read(merged.folder, file), merged.folder, whole)).toBe(read(whole, file));
    expect(realpathSync(join(dir, 'latest'))).toBe(realpathSync(merged.folder));
    expect(merged.folder).toMatch(/Z-own-run-merged$/);
    const { output } = await runViva(['verify', merged.folder], { EVAL_DIR: dir });
    expect(output).not.toContain('MISMATCH');
  });

  test('takes names and latest, and folders that lie elsewhere', async () => {
    const dir = makeDir();
    const [elsewhere = ''] = makeShards(2);
    const again = await runMerge(dir, {}, ['latest', elsewhere]);
    expect(again.output).toMatch(/^ {2}all +6 +6 +100\.0 %/m);
    const names = ['20260101T000000Z-a-shard-1', '20260101T000000Z-a-shard-2-of-2'];
    expect((await runMerge(dir, {}, names)).output).toContain('exit 0: mcq (sample): no failures');
  });

  test('leaves out earlier merges and older runs of a shard, which it names', async () => {
    const name = '20260102T000000Z-a-shard-1-of-2';
    const dir = makeDir({ 1: { marks: '---' } });
    const first = await runMerge(dir);
    expect(first.output).toContain('exit 1: mcq (sample): 3 failed cases and no gate');
    const manifest = { created_at: '2026-01-02T00:00:00Z' };
    makeShard(1, 2, { dir: join(dir, 'runs'), name, manifest });
    const again = await runMerge(dir);
    expect(again.output.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^shard 1 of 2: .+; left out 20260101T000000Z-a-shard-1-of-2$/),
      `left out: ${basename(first.folder)} (merged already)`,
    ]);
    expect(again.code).toBe(0);
  });

  test.each<[string, () => string, readonly string[]]>([
    [
      'one of them',
      () => makeDir({}, [1]),
      [
        'NOT COMPLETE: 3 of 6 tests were not run (missing shard 3).',
        'RUN ERROR: shard 2 of 2 is missing',
        'exit 1: run error: shard 2 of 2 is missing',
      ],
    ],
    [
      'the end of one',
      () => makeDir({ 1: { marks: '+', end: null } }),
      [
        'NOT COMPLETE: 2 of 6 tests were not run (no result 2).',
        'RUN ERROR: shard 1 of 2 did not end',
        'exit 1: run error: shard 1 of 2 did not end',
      ],
    ],
  ])('makes a run with gaps of shards without %s, and says what to do', async (_, make, lines) => {
    const { code, output, folder } = await runMerge(make());
    expect(code).toBe(1);
    for (const line of lines) expect(output).toContain(`\n  ${line}`);
    expect(read(folder, 'summary.md')).toContain('NOT COMPLETE');
  });

  const differing = { 2: { suite: { trials: 2 } } };
  const bad = { 2: { manifest: { version: 2 as never } } };
  test.each<
    [string, () => string, Readonly<Record<string, string>>, readonly string[] | null, string]
  >([
    ['no word', makeDir, {}, [], 'Expected the runs of shards, got none.\nUsage: '],
    [
      'a pattern that the shell has left',
      makeDir,
      {},
      ['.evals/no/*'],
      'No folder has the name ".evals/no/*": no run matches this pattern, or the shell did not',
    ],
    ['a name of no run', makeDir, {}, ['nope'], 'RUN must be an earlier run'],
    [
      'other settings',
      () => makeDir(differing),
      {},
      null,
      'These shards differ in EVAL_TRIALS of mcq: 1',
    ],
    ['another format', () => makeDir(bad), {}, null, 'version must be 1, got 2'],
    ['a misspelt gate', makeDir, { EVAL_MIN_ACURACY: '1' }, null, 'EVAL_MIN_ACURACY ("1")'],
    [
      'a shard as its own baseline',
      makeDir,
      { EVAL_BASELINE: 'latest' },
      null,
      'EVAL_BASELINE names a shard of this merge, "20260101T000000Z-a-shard-2-of-2". Name an earlier',
    ],
    [
      'a baseline that is not there',
      makeDir,
      { EVAL_BASELINE: 'nope' },
      null,
      'EVAL_BASELINE must be an earlier run',
    ],
  ])('refuses %s, and makes no run', async (_, make, env, words, message) => {
    const dir = make();
    const { code, output, made } = await runMerge(dir, env, words ?? list(dir));
    expect([code, made]).toEqual([1, []]);
    expect(output).toContain(message);
    expect(output.trim().split('\n').length).toBeLessThan(7);
  });

  test('ignores what only shards are asked with', async () => {
    const env = { EVAL_AGENT: 'mine:x', EVAL_LIMIT: '0', EVAL_PROMPT: 'none.md' };
    expect((await runMerge(makeDir(), env)).code).toBe(0);
  });
});

const GATE = { suite: 'mcq', dataset: 'sample', group: 'all', min_accuracy: 0.9 };

describe('the gates of a merge', () => {
  const late = { created_at: '2026-01-02T00:00:00Z' };
  const gated = { end: { gates: [GATE] } };

  test('are those of the shards and EVAL_MIN_ACCURACY of the merge', async () => {
    const dir = makeDir({ 1: { marks: '++-', ...gated }, 2: gated });
    const { code, output } = await runMerge(dir, { EVAL_MIN_ACCURACY: '0.8' });
    expect(code).toBe(1);
    expect(output).toContain('GATE MISSED: mcq (sample): accuracy 83.3 %');
    expect(output).toContain('gate holds: mcq (sample): accuracy 83.3 %');
  });

  test('are EVAL_MIN_ACCURACY and the baseline of the shards where the merge has none', async () => {
    const dir = makeDir();
    const old = makeRun(toRun('+', { suite: 'mcq', dataset: 'sample', agent: 'a' }));
    const config = { minAccuracy: 1, baseline: old };
    for (const index of [1, 2])
      makeShard(index, 2, { dir: join(dir, 'runs'), manifest: { config } });
    const { output } = await runMerge(dir);
    expect(output).toContain('gate holds: mcq (sample): accuracy 100.0 %');
    expect(output).toContain('mcq · sample · B against A');
  });

  test('say that the baseline of the shards is not here', async () => {
    const dir = makeDir({ 2: { manifest: { ...late, config: { baseline: 'gone' } } } });
    const { code, output } = await runMerge(dir);
    expect(output).toContain(
      'the shards had EVAL_BASELINE=gone, which is not an earlier run here: nothing is compared. Set EVAL_BASELINE for the merge.',
    );
    expect(code).toBe(0);
  });

  test('say so where shards, or the gates file here, have others', async () => {
    const other = { manifest: late, end: { gates: [{ ...GATE, min_accuracy: 0.1 }] } };
    const before = process.cwd();
    const here = makeFolder({
      'evals/gates.json': JSON.stringify({ version: 1, gates: [GATE] }),
    });
    process.chdir(here);
    try {
      const { output } = await runMerge(makeDir({ 1: gated, 2: other }));
      expect(output.split('\n').slice(0, 2)).toEqual([
        expect.stringMatching(/different gates: .+ shard 2 of 2/),
        'evals/gates.json here differs from the gates of the shards, which count. Run the shards again with it: cached answers are not asked again.',
      ]);
      const same = await runMerge(makeDir({ 1: gated, 2: gated }));
      expect(same.output).toMatch(/^\nmcq · sample/);
    } finally {
      process.chdir(before);
    }
  });

  test.each([
    ['+++', 0, 'exit 0: 0 failed cases'],
    ['++-', 1, 'exit 1: 1 failed case, and no gate decides'],
  ])('decide nothing of shards that -t narrowed, as in Vitest: %s', async (marks, code, line) => {
    const trial = { suite: 'mcq', dataset: 'sample', agent: 'a', trial: 1 };
    const by = { narrowed_by: { name: 'x', tags: null, last_failed: false } };
    const absent = [{ ...trial, id: 'f', reason: null }];
    const second = { marks: '++', end: { ...by, absent } };
    const dir = makeDir({ 1: { marks, end: by }, 2: second });
    const merged = await runMerge(dir, { EVAL_MIN_ACCURACY: '1' });
    expect([merged.code, merged.output]).toEqual([code, expect.stringContaining(line)]);
    expect(merged.output).not.toContain('GATE MISSED');
  });

  test('are judged with the calibrations of the shards where EVAL_DIR has none', async () => {
    const { whole } = makeWhole();
    const merged = await runMerge(makeFolder(), {}, splitRun(whole, 2));
    const { calibrations } = readRun(whole).end;
    expect(calibrations).toHaveLength(1);
    expect(readRun(merged.folder).end.calibrations).toEqual(calibrations);
    expect(readSummary(merged.folder).suites).toEqual(readSummary(whole).suites);
  });
});

describe('a merge in GitHub Actions', () => {
  const HIDDEN = { suite: 'mcq', dataset: 'secret' };

  test('adds to the page of its job, and annotates a failure', async () => {
    const page = join(makeFolder(), 'page.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page, CI: 'true' };
    const { code, output, folder } = await runMerge(makeDir({ 1: { marks: '---' } }), env);
    expect(code).toBe(1);
    expect(readFileSync(page, 'utf8').trim()).toBe(read(folder, 'summary.md').trim());
    expect(output.trim().split('\n').at(-1)).toMatch(
      /^::error title=evals::exit 1: mcq \(sample\): 3/,
    );
  });

  test('hides what a run hides, whatever the shards were allowed', async () => {
    const suite = { suite: { dataset: 'secret' } };
    const rows = toTrials('a', '-', { ...HIDDEN, agent: 'a', target: 'TARGET' });
    const whole = makeRun(rows, { name: 'whole', viva: readVersion(), end: {}, ...suite });
    const shards = splitRun(whole, 1);
    const shown = await runMerge(makeFolder(), {}, shards);
    const hidden = await runMerge(makeFolder(), { CI: 'true' }, shards);
    expect(read(shown.folder, 'report.html')).toContain('TARGET');
    for (const text of ['report.html', 'summary.md', 'summary.json'].map((file) =>
      read(hidden.folder, file),
    ))
      expect(text).not.toContain('TARGET');
    expect(hidden.output).not.toContain('TARGET');
  });
});

/**
 * A run with all that a run may have: two suites, agents and trials, judges that are calibrated,
 * traces, work folders and a baseline.
 */
function makeWhole() {
  const dir = makeFolder();
  const agents = ['a', 'b'].map((agent) => ({ agent, group: 'level 1' }));
  const own = { suite: 'own', dataset: 'own', agent: 'a', group: 'g', prompt_hash: 'f00d' };
  const rows = [
    ...agents.flatMap((facts) => toRun(['+-', '--', '.+', '++', 'e+'], facts)),
    ...toJudged(4, 3, own),
    toResult('correct', {
      ...own,
      id: 'talk',
      scores: { half: 0.5 },
      conversation: { turns: 2, ended: 'turns' },
    }),
  ];
  const counts = { passed: { as_pass: 9, as_fail: 1 }, failed: { as_pass: 2, as_fail: 8 } };
  writeCalibration(dir, JUDGE, counts, { runs: [], fingerprints: {} });
  const place = { dir: join(dir, 'runs'), name: '20260101T000000Z-own-run' };
  const suite = { exports: ['answers.csv', 'submission.jsonl'], agents: ['a', 'b'] };
  const whole = makeRun(rows, { ...place, suite, viva: readVersion(), end: {} });
  const baseline = makeRun(toRun('-----', agents[0]), { name: 'baseline' });
  for (const row of rows) {
    new RunWriter(whole).trace(row, { sent: null, steps: [] } as never);
    mkdirSync(join(whole, toWorkspacePath(row)), { recursive: true });
    writeFileSync(join(whole, toWorkspacePath(row), 'note.txt'), row.id);
  }
  for (const id of ['gaia', 'own']) new RunWriter(whole).questions(id, [toSample({ id: 'q1' })]);
  new RunWriter(whole).prompt('own', 'Say {{question}}', 'f00d');
  const run = readRun(whole);
  const calibrationOf = findCalibrations(dir, run.manifest);
  const end = { ...run.end, calibrations: listCalibrations(rows, calibrationOf) };
  writeRunFiles(evaluate({ ...run, end }, { calibrationOf, baseline: readComparedRun(baseline) }));
  return { dir, whole, baseline };
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** summary.json, with another name for the run. */
function readSummary(folder: string, name = basename(folder)) {
  return JSON.parse(rename(read(folder, 'summary.json'), folder, name));
}

function rename(text: string, from: string, to: string): string {
  return text.replaceAll(basename(from), basename(to));
}
