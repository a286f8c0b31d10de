import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDING } from '../hostile/hostile-text.ts';
import { makeFolder } from '../make-folder.ts';
import { type FixtureRecord, writeGaiaFixture } from './gaia-fixture.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const levels: readonly FixtureRecord[] = [
  { id: 'a1', level: 1, output: 'FINAL ANSWER: 17' },
  { id: 'a2', level: 1, output: 'FINAL ANSWER: 18' },
  { id: 'b1', level: 2, output: 'FINAL ANSWER: 17' },
  { id: 'c1', level: 3, output: 'FINAL ANSWER: 17' },
];

describe('settings', () => {
  test.each([
    [{ EVAL_LIMTI: '3' }, 'EVAL_LIMTI ("3") is not a setting. Did you mean EVAL_LIMIT?'],
    [{ EVAL_LIMIT: 'zero' }, 'EVAL_LIMIT must be a whole number from 1 to 1000000, got "zero".'],
    [{ EVAL_AGENT: 'gpt-5' }, 'EVAL_AGENT must be replay or replay:FILE_OR_FOLDER'],
  ])('%j stops the evals before anything is asked', async (env, message) => {
    const run = await runVitest(['run', 'evals'], env);
    expect(run.code).toBe(1);
    expect(run.output).toContain(message);
    expect(existsSync(join(run.dir, 'runs'))).toBe(false);
  });

  test('that are wrong do not stop unit tests, which say nothing of evals', async () => {
    const run = await runVitest(['run', '--project', 'unit', 'src/text/wording.test.ts'], { EVAL_LIMTI: '3' });
    expect(run.code).toBe(0);
    expect(run.output).not.toMatch(/EVAL_|accuracy|exit 0/);
    expect(existsSync(join(run.dir, 'runs'))).toBe(false);
  });

  test.each([
    [{ EVAL_LEVEL: '1' }, ['a1', 'a2']],
    [{ EVAL_LEVEL: '2,3' }, ['b1', 'c1']],
    [{ EVAL_IDS: 'a*' }, ['a1', 'a2']],
    [{ EVAL_LEVEL: '1', EVAL_LIMIT: '1' }, ['a1']],
  ])('%j selects %j', async (selection, ids) => {
    const { env } = writeGaiaFixture(levels);
    const run = await runVitest(['run', 'evals/gaia'], { ...env, ...selection });
    expect(
      readRows(runFolderOf(run.dir))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids);
  });

  test('an id of one suite is no mistake in the other', async () => {
    const sample = await runVitest(['run', 'evals'], { EVAL_IDS: 'Q01' });
    expect(sample.code).toBe(0);
    expect(readRows(runFolderOf(sample.dir)).map(({ suite, id }) => [suite, id])).toEqual([['mcq', 'Q01']]);
  });

  test('an id that no suite knows fails the run', async () => {
    const run = await runVitest(['run', 'evals'], { EVAL_IDS: 'Q01,Q0l' });
    expect(run.code).toBe(1);
    expect(run.report).toContain('EVAL_IDS: "Q0l" matches no sample of any suite');
    const alone = await runVitest(['run', 'evals/mcq'], { EVAL_IDS: 'Q01,Q0l' });
    expect(alone.output).toContain('The id "Q0l" matches none of 48 samples. Did you mean "Q01"?');
  });

  test('ids that select nothing at all fail the run', async () => {
    const run = await runVitest(['run', 'evals'], { EVAL_IDS: 'nope*' });
    expect(run.code).toBe(1);
    expect(run.output).toContain('exit 1: error outside the answers: EVAL_IDS: "nope*" matches no sample of any suite');
  });

  test('a level is a matter of GAIA alone', async () => {
    const run = await runVitest(['run', 'evals'], { EVAL_LEVEL: '3' });
    expect(run.code).toBe(1);
    expect(readSummary(runFolderOf(run.dir)).suites.map(({ groups }) => groups.map(({ group }) => group))).toEqual([
      ['level 3', 'all'],
      ['Computing basics', 'Everyday statistics', 'Time and measurement', 'all'],
    ]);
  });

  test('a seed selects the same samples each time', async () => {
    const records = Array.from({ length: 30 }, (_, index) => ({ id: `q${index}`, output: '17' }));
    const { env } = writeGaiaFixture(records);
    const seeded = { ...env, EVAL_SEED: '7', EVAL_LIMIT: '5' };
    const runs = await Promise.all([1, 2].map(() => runVitest(['run', 'evals/gaia'], seeded)));
    const [first, second] = runs.map(({ dir }) =>
      readRows(runFolderOf(dir))
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(first).toHaveLength(5);
    expect(second).toEqual(first);
    expect(first).not.toEqual(['q0', 'q1', 'q2', 'q3', 'q4']);
  });

  test('a level that no record has is refused with the levels that there are', async () => {
    const { env } = writeGaiaFixture(levels.filter(({ level }) => level !== 2));
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_LEVEL: '2' });
    expect(run.code).toBe(1);
    expect(run.output).toMatch(/level 1.*level 3/);
  });

  test('EVAL_MIN_ACCURACY gates every suite', async () => {
    const { env } = writeGaiaFixture(levels);
    const holds = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_MIN_ACCURACY: '0.75' });
    const missed = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_MIN_ACCURACY: '0.76' });
    expect([holds.code, missed.code]).toEqual([0, 1]);
    expect(missed.report).toContain('GATE MISSED: gaia (questions/validation, ');
  });

  test('EVAL_TRIALS asks each question so often, and says what the trials say', async () => {
    const { env, predictions } = writeGaiaFixture([{ id: 'a' }, { id: 'b' }]);
    const lines = [
      { task_id: 'a', trial: 1, output: '17' },
      { task_id: 'a', trial: 2, output: '18' },
      { task_id: 'b', trial: 1, output: '17' },
      { task_id: 'b', trial: 2, output: '17' },
    ];
    writeFileSync(predictions, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_TRIALS: '2' });
    expect(readSummary(runFolderOf(run.dir)).suites[0]?.groups.at(-1)).toMatchObject({
      n: 4,
      questions: 2,
      accuracy: 0.75,
    });
    expect(run.report).toContain('pass@k / pass^k: k=1 75.0 % / 75.0 %, k=2 100.0 % / 50.0 %');
    expect(run.report).toContain('1 unstable question: a');
    expect(run.report).toMatch(/group {2,}n \(trials\) {2}correct/);
    expect(run.report).toContain('n counts 4 trials of 2 questions; the 95 % interval is over questions');
  });
});

describe("Vitest's own options", () => {
  test('--retry asks nothing twice and makes nothing right', async () => {
    const { env } = writeGaiaFixture(levels);
    const run = await runVitest(['run', 'evals/gaia', '--retry=3'], env);
    expect(readRows(runFolderOf(run.dir))).toHaveLength(4);
    expect(readSummary(runFolderOf(run.dir)).suites[0]?.groups.at(-1)?.accuracy).toBe(0.75);
  });

  test.each(['json', 'junit', 'dot', 'blob'])(
    '--reporter=%s keeps the figures, the files and the exit code',
    async (reporter) => {
      const { env, folder } = writeGaiaFixture(levels);
      const args = ['run', 'evals/gaia', `--reporter=${reporter}`, `--outputFile=${join(folder, 'report')}`];
      const run = await runVitest(args, { ...env, EVAL_MIN_ACCURACY: '0.5' });
      expect(run.code).toBe(0);
      expect(run.report).toContain('75.0 %');
      expect(readSummary(runFolderOf(run.dir)).complete).toBe(true);
      expect(existsSync(join(folder, 'report'))).toBe(reporter !== 'dot');
    },
  );

  test('-t and --tags-filter narrow the denominator', async () => {
    const { env } = writeGaiaFixture(levels);
    const byName = await runVitest(['run', 'evals/gaia', '-t', 'gaia > level 2'], env);
    const byTag = await runVitest(['run', 'evals/gaia', '--tags-filter', 'level1'], env);
    const [name, tag] = [byName, byTag].map(({ dir }) => readSummary(runFolderOf(dir)).suites[0]?.groups.at(-1));
    expect(name).toMatchObject({ n: 1, accuracy: 1 });
    expect(tag).toMatchObject({ n: 2, accuracy: 0.5 });
    expect(byName.report).toContain('narrowed by -t');
  });
});

describe('gated records', () => {
  test('are not shown in CI, and are where the user says so', async () => {
    const { env } = writeGaiaFixture([{ id: 'a1', truth: 'SECRET', output: 'FINAL ANSWER: GUESS' }]);
    const hidden = await runVitest(['run', 'evals/gaia'], { ...env, CI: 'true' });
    expect(hidden.output).not.toMatch(/SECRET|GUESS|What is a1/);
    expect(hidden.output).toContain('incorrect. Set EVAL_SHOW_GATED=1 to show');
    const shown = await runVitest(['run', 'evals/gaia'], { ...env, CI: 'true', EVAL_SHOW_GATED: '1' });
    expect(shown.output).toContain('GUESS');
    expect(shown.output).toContain('Target:   "SECRET"');
    expect(shown.output).toContain('Question: "What is a1?"');
  });

  test('hide what a module prints of a gated question', async () => {
    const { env } = writeGaiaFixture(levels);
    const agent = join(makeFolder(), 'talker.mjs');
    writeFileSync(agent, 'export default (question) => { console.log(question.prompt); return "17"; };');
    const asked = { ...env, CI: 'true', EVAL_AGENT: `module:${agent}` };
    const hidden = await runVitest(['run', 'evals/gaia'], asked);
    expect(hidden.output).not.toContain('What is a1?');
    expect(hidden.output.match(/What agents print is hidden/g)).toHaveLength(1);
    const shown = await runVitest(['run', 'evals/gaia'], { ...asked, EVAL_SHOW_GATED: '1' });
    expect(shown.output).toContain('What is a1?');
  });

  test.each([
    ['an error of auth', 'throw Object.assign(new Error(input), { status: 401 })', /STOPPED: .* \(401, auth\)/],
    ['an error of quota', 'throw Object.assign(new Error(input), { status: 402 })', /STOPPED: .* \(402, quota\)/],
    ['the name of a field', "return { text: '17', [input]: 1 }", /that nobody reads: 2\. Set EVAL_SHOW_GATED=1/],
    ['the name of a model', "return { text: '17', model: input }", /group +n +correct/],
    ['a reason', 'return { text: null, reason: input }', /no_answer \(in its own words\)\. Set EVAL_SHOW_GATED=1/],
  ])('are not quoted by %s', async (_, body, said) => {
    const { env } = writeGaiaFixture(levels.slice(0, 2));
    const agent = join(makeFolder(), 'quoter.mjs');
    writeFileSync(agent, `export default ({ input }) => { ${body}; };`);
    const page = join(makeFolder(), 'page.md');
    const job = { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page };
    const asked = { ...env, ...job, EVAL_AGENT: `module:${agent}`, EVAL_CONCURRENCY: '1' };
    const reports = makeFolder();
    const own = ['json', 'junit', 'tap', 'blob'].map((name) => `--outputFile.${name}=${join(reports, name)}`);
    const reporters = ['default', 'github-actions', 'json', 'junit', 'tap', 'blob'].map((name) => `--reporter=${name}`);
    const run = await runVitest(['run', 'evals/gaia', ...reporters, ...own], asked);
    expect(run.output).toMatch(said);
    const files = ['summary.md', 'summary.json', 'manifest.json', 'report.html'];
    const written = readdirSync(reports).map((file) => join(reports, file));
    expect(written.length).toBeGreaterThanOrEqual(3);
    const paths = [page, ...written, ...files.map((file) => join(runFolderOf(run.dir), file))];
    const texts = [run.output, ...paths.map((path) => readFileSync(path, 'utf8'))];
    expect(texts.filter((text) => text.includes('What is a'))).toEqual([]);
  });

  test('are not quoted as the names of models that a baseline is compared by', async () => {
    const { env } = writeGaiaFixture(levels.slice(0, 2));
    const agent = join(makeFolder(), 'quoter.mjs');
    writeFileSync(agent, "export default ({ input }) => ({ text: '17', model: input });");
    const asked = { ...env, EVAL_AGENT: `module:${agent}` };
    const { dir } = await runVitest(['run', 'evals/gaia'], asked);
    const compared = { ...asked, EVAL_BASELINE: runFolderOf(dir) };
    const hidden = await runVitest(['run', 'evals/gaia'], { ...compared, CI: 'true' });
    const files = ['summary.md', 'summary.json', 'report.html'].map((file) => join(runFolderOf(hidden.dir), file));
    const texts = [hidden.output, ...files.map((path) => readFileSync(path, 'utf8'))];
    expect(hidden.output).toContain('A (baseline): ');
    expect(texts.filter((text) => text.includes('What is a'))).toEqual([]);
    const shown = await runVitest(['run', 'evals/gaia'], compared);
    expect(shown.output).toContain('What is a1?');
  });

  test('what a module throws when it is loaded is no command to CI', async () => {
    const { env } = writeGaiaFixture(levels);
    const agent = join(makeFolder(), 'commander.mjs');
    writeFileSync(agent, "throw new Error('a\\n::error::thrown ##[error]too');");
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_AGENT: `module:${agent}` });
    expect(run.output).toContain('\\::error::thrown ##\\[error]too');
    expect(run.output).not.toMatch(COMMANDING);
  });

  test('what a module prints acts on no terminal', async () => {
    const { env } = writeGaiaFixture(levels);
    const agent = join(makeFolder(), 'painter.mjs');
    writeFileSync(agent, "export default () => { console.log('%d\\u001b[2Jgone\\u202e', 5, 'x'); return '17'; };");
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_AGENT: `module:${agent}` });
    expect(run.output).toContain('5\\u001b[2Jgone\\u202e x');
  });
});
