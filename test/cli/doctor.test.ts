import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startFakeHub } from '../hub/fake-hub.ts';
import { makeRecords, toSplitFiles, VALIDATION } from '../hub/gaia-dataset.ts';
import { makeFolder } from '../make-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs `viva` with words and settings, without a terminal to ask. */
async function viva(words: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = ROOT) {
  const child = spawn(process.execPath, [join(ROOT, 'src/cli/index.ts'), ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: makeFolder(), EVAL_DIR: makeFolder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  const code = await promise;
  return { code, output: Buffer.concat(chunks).toString('utf8') };
}

const VIVA_CONFIG = `import { viva } from 'viva/vitest'; export default { plugins: [viva()] };`;

/** A repository of somebody's own, with this checkout for the installed package. */
function makeProject(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder({ 'package.json': '{ "type": "module" }', ...files });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/viva'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  return folder;
}

const ODD_SERVER = join(ROOT, 'test/mcp/odd-server.ts');

/** A file with one server that behaves as this mode says. */
function mcpFile(mode: string): string {
  const args = [ODD_SERVER, mode];
  const content = { mcpServers: { odd: { command: process.execPath, args, env: { API_KEY: 'abcdefgh-1234' } } } };
  return join(makeFolder({ 'mcp.json': JSON.stringify(content) }), 'mcp.json');
}

describe('viva doctor', () => {
  test('finds everything for the committed samples, and starts the MCP servers and ends them', async () => {
    const { code, output } = await viva(['doctor'], { EVAL_MCP: mcpFile('good') });
    expect(output).not.toContain('MISS');
    expect(output).toMatch(/ok {4}mcp: odd 1\.2\.3 starts and lists \d+ tools/);
    expect(output).toContain('evals: gaia: sample, 30 questions (level 1 12, level 2 11, level 3 7), by replay\n');
    expect(output).toContain('evals: gaia: 17 questions with a file, all there\n');
    expect(code).toBe(0);
  });

  test('plans suites that it never heard of, of all eval files or of those that are named', async () => {
    const folder = makeProject({
      'vitest.config.ts': VIVA_CONFIG,
      '.env': 'EVAL_LIMIT=1',
      'evals/sums/sums.eval.ts': `
        import { defineEval } from 'viva';
        const data = [{ input: '1+1?', target: '2', group: 'small' }, { input: '7+8?', target: '15', group: 'large' }];
        await defineEval('sums', { data, agent: () => '2' });`,
      'evals/torn/torn.eval.ts': `
        import { defineEval } from 'viva';
        await defineEval('torn', { data: './torn.jsonl', agent: () => '2' });`,
      'evals/torn/torn.jsonl': '{"question": "Why?"}\n{"answer": "?"}\n',
    });
    const all = await viva(['doctor'], {}, folder);
    expect(all.output).toContain('evals: sums: sums, 2 questions (large 1, small 1), 1 selected, by sums agent\n');
    expect(all.output).toContain('evals: sums, sums agent: 1 trial, 0 from the cache, 1 to ask, cost not known\n');
    expect(all.output).toMatch(
      /MISS {2}evals: evals\/torn\/torn\.eval\.ts: .*torn\.jsonl:2: .+\n {6}-> Follow the message/,
    );
    expect(all.code).toBe(1);
    const named = await viva(['doctor', 'evals/sums'], {}, folder);
    expect([named.code, named.output.includes('torn')]).toEqual([0, false]);
  });

  test.each([
    ['no plugin', { 'vitest.config.ts': 'export default {};' }, /configuration of this folder has no plugin viva\(\)/],
    ['no eval file', { 'vitest.config.ts': VIVA_CONFIG }, /no eval file was found/],
    [
      'an eval file that ends Vitest',
      { 'vitest.config.ts': VIVA_CONFIG, 'evals/a/a.eval.ts': "process.kill(process.pid, 'SIGKILL');" },
      /evals: \d errors? outside the answers, the first: /,
    ],
    ['a configuration that fails', { 'vitest.config.ts': `throw new Error('broken here');` }, /evals: broken here/],
  ])('says in one sentence that there is %s', async (_, files, message) => {
    const { code, output } = await viva(['doctor'], {}, makeProject(files));
    expect(output).toMatch(message);
    expect(output).toContain('1 missing');
    expect(code).toBe(1);
  });

  test('counts a dataset of the Hub, fetches its files, and prints no part of the token', async () => {
    const hub = await startFakeHub({ files: toSplitFiles('validation', makeRecords(VALIDATION)), token: 'hf_secret' });
    const env = { EVAL_GAIA: 'hf:own/questions', HF_ENDPOINT: hub.url, HF_TOKEN: 'hf_secret', HF_HOME: makeFolder() };
    const agent = { EVAL_AGENT: 'command:exit 3' };
    const { code, output } = await viva(['doctor', 'evals/gaia'], { ...env, ...agent });
    expect(output).toMatch(
      /gaia: questions\/validation, 165 questions \(level 1 53, level 2 86, level 3 26\), commit c0ffee/,
    );
    expect(output).toContain('38 questions with a file, all there');
    expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toHaveLength(39);
    expect(output).toContain('Hub: a token is set');
    expect(output).not.toContain('secret');
    expect(code).toBe(0);
  });

  test('tells all that is missing, what to do about it, and no key', async () => {
    const { code, output } = await viva(['doctor'], {
      EVAL_AGENT: 'openai:some-model',
      EVAL_DIR: join(ROOT, 'package.json', 'x'),
      EVAL_GAIA: 'hf:own/questions',
      EVAL_MCP: mcpFile('dies'),
      EVAL_MCQ: '/nowhere',
      HF_HUB_OFFLINE: '1',
    });
    expect(output).toMatch(
      /MISS {2}disk: .+package\.json\/x cannot be written.+\n {6}-> Make it writable, or set EVAL_DIR/,
    );
    expect(output).toMatch(/- {5}Hub: no token is set/);
    expect(output).toMatch(/MISS {2}mcp: "odd": it did not start: .+exit code 7.+API_KEY=\[key\]/);
    expect(output).toMatch(/\n {6}-> Correct .+, or set EVAL_MCP=off\./);
    expect(output).toMatch(/MISS {2}agent: openai:some-model: No API key for OpenAI was found\. .+\n {6}-> Follow/);
    expect(output).toMatch(
      /MISS {2}evals: \S+gaia\.eval\.ts: hf:own\/questions: the cache does not hold what is needed/,
    );
    expect(output).toMatch(
      /MISS {2}evals: \S+mcq\.eval\.ts: \/nowhere: no such file\. Check the path\.\n {6}-> Follow/,
    );
    expect(output).toContain('5 missing');
    expect(code).toBe(1);
  });

  test('tells no second time what the dry run stops at too', async () => {
    const { output } = await viva(['doctor'], { EVAL_BASELINE: '/nowhere' });
    expect(output).toMatch(/MISS {2}baseline: EVAL_BASELINE must be the folder of an earlier run/);
    expect(output).toContain('1 missing');
  });

  test('refuses a misspelt setting', async () => {
    const { code, output } = await viva(['doctor'], { EVAL_AGNT: 'x' });
    expect(output).toMatch(/MISS {2}settings: EVAL_AGNT .+ Did you mean EVAL_AGENT\?.+\n {6}-> Correct it/);
    expect(output).not.toContain('evals:');
    expect(code).toBe(1);
  });

  test('in CI no text of a record is shown', async () => {
    const folder = makeFolder({
      'metadata.jsonl': '{"task_id": "a", "Question": "SECRET", "Level": "SECRET", "Final answer": "1"}\n',
    });
    const { output } = await viva(['doctor'], { EVAL_GAIA: folder, CI: 'true' });
    expect(output).toContain('"Level" must be 1, 2 or 3');
    expect(output).not.toContain('SECRET');
  });
});

test('an unknown command is answered with the nearest', async () => {
  const { code, output } = await viva(['docter']);
  expect(output).toContain('There is no command "docter". Did you mean "doctor"?');
  expect(code).toBe(1);
});
