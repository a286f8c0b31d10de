import { existsSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { runScript, type Script } from './run-script.ts';
import { readRows, readSummary } from './run-vitest.ts';

const right = (id: string) => ({ id, say: 'FINAL ANSWER: 17', cost: 0.5 });

/** Runs of one script after another over one cache, counting what the agent was asked. */
function makeLab() {
  const folder = makeFolder();
  const [dir, calls] = [join(folder, 'runs-of-lab'), join(folder, 'calls')];
  let asked = 0;
  return {
    dir,
    async run(script: Script, env: Readonly<Record<string, string>> = {}) {
      const settings = { EVAL_DIR: dir, FIXTURE_CALLS: calls, FIXTURE_FINGERPRINT: 'v1', ...env };
      const run = await runScript(script, { env: settings });
      const all = existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [];
      const fresh = all.slice(asked);
      asked = all.length;
      return { ...run, asked: fresh.map((line) => line.split(' ')[0]).toSorted(), rows: readRows(join(dir, 'latest')) };
    },
  };
}

describe('the answer cache', () => {
  test('asks nothing twice and keeps what an answer took and cost', async () => {
    const lab = makeLab();
    const script = [{ ...right('a'), afterMs: 120 }, right('b')];
    const first = await lab.run(script);
    const second = await lab.run(script);
    expect([first.asked, second.asked]).toEqual([['a', 'b'], []]);
    expect(first.rows.map(({ cached }) => cached)).toEqual([false, false]);
    const bySample = (rows: typeof first.rows) => new Map(rows.map((row) => [row.id, row]));
    const [before, after] = [bySample(first.rows).get('a'), bySample(second.rows).get('a')];
    const { slots: _slots, ...kept } = before ?? {};
    expect(after).toEqual({ ...kept, cached: true });
    expect(second.output).toMatch(/scripted, scripted: 2 trials, 2 from the cache \(0 min old\), nothing to ask/);
    // Once, before the run; what became of it stands below the tables.
    expect(second.output.match(/nothing to ask/g)).toHaveLength(1);
    expect(second.report).toContain('scripted, scripted: 2 of 2 results are from the cache (0 min old)');
  });

  test('keeps an answer for each of several records that ask the same, also where a run asks some of them', async () => {
    const lab = makeLab();
    const same = { input: 'What is 8 + 9?' };
    const script = [
      { ...right('a'), ...same, afterMs: 200 },
      { id: 'b', ...same, say: 'FINAL ANSWER: 18' },
      { ...right('c'), ...same },
    ];
    const states = (rows: readonly { readonly id: string; readonly state: string }[]) =>
      Object.fromEntries(rows.map(({ id, state }) => [id, state]));
    const first = await lab.run(script, { EVAL_IDS: 'b,c' });
    const second = await lab.run(script);
    const third = await lab.run(script);
    expect([first.asked, second.asked, third.asked]).toEqual([['b', 'c'], ['a'], []]);
    expect(states(third.rows)).toEqual({ a: 'correct', b: 'incorrect', c: 'correct' });
  });

  test('keeps time-outs, crashes and empty answers as they are, or a resumed run would be best-of-n', async () => {
    const lab = makeLab();
    const script = [right('a'), { id: 'b', say: '!hang' }, { id: 'c', say: '!throw' }, { id: 'd', say: '' }];
    const first = await lab.run(script, { EVAL_TIMEOUT: '0.3' });
    const second = await lab.run(script, { EVAL_TIMEOUT: '0.3' });
    expect([first.asked, second.asked]).toEqual([['a', 'b', 'c', 'd'], []]);
    const states = (rows: typeof first.rows) => rows.map(({ id, state }) => `${id} ${state}`).toSorted();
    expect(states(second.rows)).toEqual(states(first.rows));
  });

  test.each(['rate_limit', 'server', 'network', 'machine'])('asks again after a %s error', async (kind) => {
    const lab = makeLab();
    const first = await lab.run([right('a'), { id: 'b', say: `!error:${kind}` }]);
    const second = await lab.run([right('a'), right('b')]);
    expect([first.asked, second.asked]).toEqual([['a', 'b'], ['b']]);
    expect(second.rows.map(({ state }) => state)).toEqual(['correct', 'correct']);
  });

  test.each(['quota', 'auth'])('stops at a %s error and asks the rest next time', async (kind) => {
    const lab = makeLab();
    const script = [{ id: 'a', say: `!error:${kind}` }, right('b'), right('c')];
    const first = await lab.run(script, { EVAL_CONCURRENCY: '1' });
    expect(first.asked).toEqual(['a']);
    expect(first.report).toContain(`NOT COMPLETE: 2 of 3 results were not run (${kind} 2)`);
    const second = await lab.run([right('a'), right('b'), right('c')]);
    expect(second.asked).toEqual(['a', 'b', 'c']);
  });

  test.each([
    [{ EVAL_CACHE: 'off' }, ['a', 'b']],
    [{ EVAL_CACHE: 'refresh' }, ['a', 'b']],
    [{ EVAL_CACHE: 'retry' }, ['b']],
    [{ EVAL_CACHE_KEY: 'other' }, ['a', 'b']],
    [{ FIXTURE_FINGERPRINT: 'v2' }, ['a', 'b']],
    [{ EVAL_TIMEOUT: '20' }, ['a', 'b']],
    [{ EVAL_MAX_STEPS: '5' }, ['a', 'b']],
    [{ EVAL_SEED: '7' }, []],
    [{ EVAL_CONCURRENCY: '3' }, []],
  ])('with %j asks %j again', async (env, asked) => {
    const lab = makeLab();
    const script = [right('a'), { id: 'b', say: '' }];
    await lab.run(script);
    const second = await lab.run(script, env);
    expect(second.asked).toEqual(asked);
  });

  test('counts the attempts of what it retries', async () => {
    const lab = makeLab();
    await lab.run([{ id: 'a', say: '' }]);
    const second = await lab.run([right('a')], { EVAL_CACHE: 'retry' });
    expect(second.rows).toMatchObject([{ attempts: 2, state: 'correct' }]);
    expect(readSummary(join(lab.dir, 'latest')).suites[0]?.groups.at(-1)).toMatchObject({ n: 1, retried: 1 });
    const said = 'scripted, scripted: 1 of 1 answer is a second or later attempt (EVAL_CACHE=retry): not comparable';
    expect(second.report).toContain(said);
    expect((await lab.run([right('a')])).report).toContain(said);
  });

  test('asks only what is not kept, in each trial', async () => {
    const lab = makeLab();
    await lab.run([right('a')]);
    const second = await lab.run([right('a'), right('b')], { EVAL_TRIALS: '2' });
    expect(second.asked).toEqual(['a', 'b', 'b']);
  });

  test('with EVAL_CACHE=only asks nothing, and what is missing is not run', async () => {
    const lab = makeLab();
    await lab.run([right('a')]);
    const second = await lab.run([right('a'), right('b')], { EVAL_CACHE: 'only' });
    expect(second.asked).toEqual([]);
    expect(second.report).toContain('NOT COMPLETE: 1 of 2 results was not run (not_cached 1)');
  });

  test('says why a whole suite missed', async () => {
    const lab = makeLab();
    await lab.run([right('a'), right('b')]);
    const second = await lab.run([right('a'), right('b')], { FIXTURE_FINGERPRINT: 'v2' });
    expect(second.output).toContain('0 from the cache, 2 to ask, cost not known; all missed: agent changed');
  });

  test('counts the reasons where they differ, and compares with the nearest answer', async () => {
    const lab = makeLab();
    await lab.run([right('a'), right('b')]);
    await lab.run([right('c')], { EVAL_TIMEOUT: '20' });
    const script = [right('a'), right('b'), right('c'), right('new')];
    const said = (await lab.run(script, { FIXTURE_FINGERPRINT: 'v2', EVAL_DRY_RUN: '1' })).output;
    expect(said).toContain(
      '0 from the cache, 4 to ask, cost not known; ' +
        '2 missed: agent changed; 1: agent and deadline or step limit changed; 1: new question',
    );
    const other = await lab.run([right('a'), right('new')], { EVAL_DRY_RUN: '1' });
    expect(other.output).toMatch(/1 from the cache .*, 1 to ask, cost about \$0\.50$/m);
  });

  test.each([
    ['off', 'EVAL_CACHE=off asks all again'],
    ['refresh', 'EVAL_CACHE=refresh asks all again'],
    ['retry', '1 missed: failed before (EVAL_CACHE=retry)'],
  ])('says what EVAL_CACHE=%s asks again', async (mode, said) => {
    const lab = makeLab();
    await lab.run([right('a'), { id: 'b', say: '' }]);
    const dry = await lab.run([right('a'), right('b')], { EVAL_CACHE: mode, EVAL_DRY_RUN: '1' });
    expect(dry.output).toContain(`; ${said}`);
  });

  test('loses one answer to a torn line, and no other', async () => {
    const lab = makeLab();
    await lab.run([right('a'), right('b')], { EVAL_CONCURRENCY: '1' });
    const folder = join(lab.dir, 'cache/scripted');
    const [file = ''] = readdirSync(folder);
    truncateSync(join(folder, file), readFileSync(join(folder, file)).length - 30);
    const second = await lab.run([right('a'), right('b')]);
    expect(second.asked).toEqual(['b']);
  });

  test('is no less of use for a link that leads nowhere, which is said once', async () => {
    const lab = makeLab();
    await lab.run([right('a')]);
    symlinkSync('gone', join(lab.dir, 'cache/scripted/0.jsonl'));
    const second = await lab.run([right('a')]);
    expect([second.asked, second.code]).toEqual([[], 0]);
    expect(second.output.split('Passed over in the answer cache: 0.jsonl (ENOENT). What stood there')).toHaveLength(2);
  });

  test('serves two runs at once', async () => {
    const lab = makeLab();
    const script = Array.from({ length: 20 }, (_, index) => ({ ...right(`q${index}`), afterMs: 20 }));
    const runs = await Promise.all([lab.run(script), lab.run(script)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect((await lab.run(script)).asked).toEqual([]);
  });
});

describe('EVAL_DRY_RUN', () => {
  test('says what a run would ask and cost, and asks nothing', async () => {
    const lab = makeLab();
    await lab.run([right('a')]);
    const dry = await lab.run([right('a'), right('b'), right('c')], { EVAL_DRY_RUN: '1' });
    expect(dry.asked).toEqual([]);
    expect(dry.output).toContain('3 trials, 1 from the cache');
    expect(dry.output).toContain('2 to ask, cost about $1.00');
    expect(dry.output.trimEnd().split('\n').at(-1)).toContain('exit 0: a dry run asks nothing.');
    expect(readSummary(join(lab.dir, 'latest')).suites[0]?.groups.at(-1)).toMatchObject({ n: 1, accuracy: 1 });
  });
});

describe('EVAL_MAX_COST', () => {
  test('stops before it is exceeded; the rest is not run', async () => {
    const lab = makeLab();
    const script = Array.from({ length: 20 }, (_, index) => ({ ...right(`q${index}`), afterMs: 10 }));
    const run = await lab.run(script, { EVAL_MAX_COST: '3', EVAL_CONCURRENCY: '4' });
    const spent = run.rows.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0);
    expect(spent).toBe(3);
    expect(run.asked).toHaveLength(6);
    expect(run.code).toBe(1);
    expect(run.report).toContain('NOT COMPLETE: 14 of 20 results were not run (budget 14)');
  });

  test('spends nothing on what is kept', async () => {
    const lab = makeLab();
    const script = Array.from({ length: 6 }, (_, index) => right(`q${index}`));
    await lab.run(script);
    const run = await lab.run([...script, right('new')], { EVAL_MAX_COST: '0.6' });
    expect(run.asked).toEqual(['new']);
    expect(run.code).toBe(0);
  });
});
