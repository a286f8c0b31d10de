import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { toResult } from '../figures/result.fixture.ts';
import { readConfig } from '../settings.ts';
import { agents } from './doctor.ts';

/** Runs the command, and takes the filter away that it puts before what this process prints. */
async function runDoctor(settings: Readonly<Record<string, string>>) {
  const streams = [process.stdout, process.stderr];
  const before = streams.map(({ write, end }) => ({ write, end }));
  onTestFinished(() => void streams.map((stream, index) => Object.assign(stream, before[index])));
  return runViva(['doctor'], { EVAL_DIR: makeFolder(), ...settings });
}

/** A file with one server that behaves as this mode says. */
function mcpFile(mode: string): string {
  const args = [join(import.meta.dirname, '../../test/mcp/odd-server.ts'), mode];
  const odd = { command: process.execPath, args, env: { API_KEY: 'abcdefgh-1234' } };
  return makeFile('mcp.json', JSON.stringify({ mcpServers: { odd } }));
}

describe('viva doctor', () => {
  test('finds everything for MCP servers, and names the dry run', async () => {
    const { code, output } = await runDoctor({
      EVAL_AGENT: 'command:exit 3',
      EVAL_MCP: mcpFile('good'),
    });
    expect(output).not.toMatch(/MISS|abcdefgh/);
    expect(output).toMatch(/^ok {4}versions: Node \d.+, Vitest \d.+, viva \d/);
    expect(output).toContain('\nok    configuration: vitest.config.ts has viva()\n');
    expect(output).toMatch(/ok {4}mcp: odd 1\.2\.3 starts and lists \d+ tools/);
    expect(output.split('\n').at(-1)).toBe(
      'All checks passed. A dry run checks datasets, prompts and the baseline: EVAL_DRY_RUN=1 pnpm vitest run evals',
    );
    expect(code).toBe(0);
  });

  test.each([
    [
      'cannot be parsed',
      { 'vitest.config.ts': 'import "./b.ts";', 'b.ts': 'let b = [1;' },
      /^MISS {2}configuration: .+ cannot be read: Expected ',', got ';' at b\.ts:1:11\n {6}-> Correct vitest\.config\.ts/m,
    ],
    [
      'has no viva()',
      { 'vitest.config.ts': 'export default {};', 'package.json': '{ "type": "module" }' },
      /^MISS {2}configuration: .+ has viva\(\)\n {6}-> Add .+ viva init"/m,
    ],
  ])('says what is wrong with a configuration that %s', async (_, files, message) => {
    const before = process.cwd();
    process.chdir(makeFolder(files));
    const { output } = await runDoctor({}).finally(() => process.chdir(before));
    expect(output).toMatch(message);
    expect(output).toMatch(/^- {5}settings: not checked/m);
  });

  test('says what is missing and what to do about it, and shows no key', async () => {
    vi.stubEnv('OPENAI_API_KEY', undefined);
    const { code, output } = await runDoctor({
      EVAL_AGENT: 'openai:some-model',
      EVAL_DIR: join(makeFile('file'), 'x'),
      EVAL_MCP: mcpFile('dies'),
    });
    expect(output).toMatch(
      /MISS {2}disk: .+file\/x cannot be written: a file .+\n {6}-> Move that file away, or set EVAL_DIR/,
    );
    expect(output).toMatch(/MISS {2}mcp: "odd": it did not start: .+exit code 7.+API_KEY=\[key\]/);
    expect(output).toMatch(/\n {6}-> Correct .+, or set EVAL_MCP=off\./);
    expect(output).toMatch(
      /MISS {2}agent: openai:some-model: No API key for OpenAI was found\. .+\n {6}-> Follow/,
    );
    expect(output).toContain('3 checks failed');
    expect(code).toBe(1);
  });
});

describe('viva doctor --report', () => {
  const SAID = 'the words of a record';
  const texts = { id: SAID, target: SAID, agent: SAID, group: SAID, model: SAID, suite: SAID };
  const rows = [
    toResult('incorrect', texts),
    toResult('no_answer', { ...texts, id: 'q2' }),
    { ...toResult('errored', { ...texts, id: 'q3' }), explanation: SAID },
  ];
  const errors = [`TypeError: ${SAID}`];

  test('says what an issue needs, and no text of a run, a setting or a key', async () => {
    const dir = makeFolder();
    makeRun(rows, { dir, name: 'runs/20260101T000000Z-a', end: { errors } });
    const secret = { OPENAI_API_KEY: `sk-${'a1b2'.repeat(8)}`, EVAL_CACHE_KEY: SAID };
    const settings = { EVAL_DIR: dir, EVAL_AGENT: `command:${SAID}`, ...secret };
    const { code, output } = await runViva(['doctor', '--report', '20260101'], settings);
    expect(output).not.toMatch(new RegExp(`${SAID}|a1b2|${dir}|/home`));
    expect(output).toMatch(/viva \d.+, Vitest \d.+, Node \d/);
    expect(output).toContain('set: EVAL_AGENT, EVAL_CACHE_KEY, EVAL_DIR\nagents: command\n');
    expect(output).toContain('1 error outside of the answers\n');
    expect(output).toContain('suite 1: 1 incorrect, 1 no_answer, 1 errored network');
    expect(code).toBe(0);
  });

  test('needs no run, and takes at most one', async () => {
    const settings = { EVAL_DIR: makeFolder() };
    expect((await runViva(['doctor', '--report'], settings)).output).toContain('no run yet');
    expect((await runViva(['doctor', 'latest'], settings)).code).toBe(1);
  });
});

test('finds that a folder takes no more, which may be writable', async () => {
  const limit = (size: string) =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:unlimited`]);
  limit('4096');
  onTestFinished(() => void limit('unlimited'));
  const { output } = await runDoctor({});
  const lines = output.split('\n').filter((line) => line.includes('disk'));
  expect(lines).toEqual(Array(2).fill(expect.stringMatching(/^MISS {2}disk: .+EFBIG\)$/)));
  expect(output).toContain(`${tmpdir()} cannot be written: `);
  expect(output).toContain('\n      -> Allow larger files');
});

describe('an agent', () => {
  const examine = (settings: Readonly<Record<string, string>>, isAgreed: boolean) =>
    agents(readConfig(settings), { env: {}, isAgreed });

  test('that is not set is skipped, with the command that asks those in eval files', async () => {
    expect(await examine({}, true)).toEqual([
      { status: 'skipped', what: expect.stringContaining('EVAL_LIMIT=1 pnpm vitest run evals') },
    ]);
    expect(await examine({}, false)).toEqual([]);
  });

  test.each([
    [
      'is asked one question when told to',
      'cat >/dev/null; echo FINAL ANSWER: 5',
      'ok',
      /answered in \d+\.\d s: "FINAL ANSWER: 5"$/,
    ],
    ['does not answer', 'exit 3', 'miss', /^command:exit 3 did not answer: /],
    ['says nothing', 'cat >/dev/null', 'miss', /did not answer: /],
  ])('%s', async (_, command, status, what) => {
    expect(await examine({ EVAL_AGENT: `command:${command}` }, true)).toEqual([
      expect.objectContaining({ status, what: expect.stringMatching(what) }),
    ]);
  });

  test('of EVAL_JUDGE is asked as a judge', async () => {
    const judged = (line: string, isAgreed: boolean) =>
      examine({ EVAL_AGENT: 'replay', EVAL_JUDGE: `command:${line}` }, isAgreed);
    const says = `echo '{"reason": "Both say 5.", "verdict": "pass"}'`;
    expect(await judged(says, false)).toMatchObject([{ status: 'skipped' }]);
    expect(await judged(says, true)).toMatchObject([
      { status: 'ok', what: expect.stringContaining('pass') },
    ]);
    expect(await judged('echo FINAL ANSWER: 5', true)).toMatchObject([
      {
        status: 'miss',
        what: expect.stringContaining('twice it had no verdict of its own.'),
      },
    ]);
  });
});
