import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startFakeHub } from '../hub/fake-hub.ts';
import { makeRecords, toSplitFiles, VALIDATION } from '../hub/gaia-dataset.ts';
import { makeFolder } from '../make-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs `viva` with words and settings, without a terminal to ask. */
async function viva(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(ROOT, 'src/cli/index.ts'), ...words], {
    cwd: ROOT,
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

const ODD_SERVER = join(ROOT, 'test/mcp/odd-server.ts');

/** A file with one server that behaves as this mode says. */
function mcpFile(mode: string): string {
  const args = [ODD_SERVER, mode];
  const content = { mcpServers: { odd: { command: process.execPath, args, env: { API_KEY: 'abcdefgh-1234' } } } };
  return join(makeFolder({ 'mcp.json': JSON.stringify(content) }), 'mcp.json');
}

describe('viva doctor', () => {
  test('starts the MCP servers and ends them', async () => {
    const { code, output } = await viva(['doctor'], { EVAL_MCP: mcpFile('good') });
    expect(output).toMatch(/ok {4}mcp: odd 1\.2\.3 starts and lists \d+ tools/);
    expect(code).toBe(0);
  });

  test('says why an MCP server does not start, and shows no key', async () => {
    const { code, output } = await viva(['doctor'], { EVAL_MCP: mcpFile('dies') });
    expect(output).toMatch(/MISS {2}mcp: "odd": it did not start: .+exit code 7.+API_KEY=\[key\]/);
    expect(output).toMatch(/\n {6}-> Correct .+, or set EVAL_MCP=off\./);
    expect(output).toContain(`${output.match(/^MISS/gm)?.length} missing`);
    expect(code).toBe(1);
  });

  test('finds everything for the committed samples', async () => {
    const { code, output } = await viva(['doctor']);
    expect(output).not.toContain('MISS');
    expect(output).toContain('dataset: gaia: sample, 30 questions (level 1 12, level 2 11, level 3 7)');
    expect(code).toBe(0);
  });

  test('counts a dataset of the Hub, fetches one file of it, and prints no part of the token', async () => {
    const hub = await startFakeHub({ files: toSplitFiles('validation', makeRecords(VALIDATION)), token: 'hf_secret' });
    const env = { EVAL_GAIA: 'hf:own/questions', HF_ENDPOINT: hub.url, HF_TOKEN: 'hf_secret', HF_HOME: makeFolder() };
    const { code, output } = await viva(['doctor'], env);
    expect(output).toMatch(
      /gaia: questions\/validation, 165 questions \(level 1 53, level 2 86, level 3 26\), commit c0ffee/,
    );
    expect(output).toContain('38 questions with a file, one was downloaded');
    expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toHaveLength(2);
    expect(output).toContain('a token of the Hub is set');
    expect(output).not.toContain('secret');
    expect(code).toBe(0);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'a misspelt setting',
      { EVAL_AGNT: 'x' },
      /MISS {2}settings: EVAL_AGNT .+ Did you mean EVAL_AGENT\?.+\n {6}-> Correct it/,
    ],
    [
      'an MCP file that is not there',
      { EVAL_MCP: '/nowhere/mcp.json' },
      /MISS {2}mcp: EVAL_MCP: \/nowhere\/mcp\.json: no such file/,
    ],
    [
      'a dataset that is not there',
      { EVAL_GAIA: '/nowhere' },
      /MISS {2}dataset: gaia: \/nowhere: no such file\. Check the path\.\n {6}-> /,
    ],
    [
      'predictions that are not there',
      { EVAL_AGENT: 'replay:/nowhere.jsonl' },
      /MISS {2}agent: replay:\/nowhere\.jsonl: \/nowhere\.jsonl: no such file.+\n {6}-> Name the predictions/,
    ],
    [
      'a module that is not there',
      { EVAL_AGENT: 'module:./nope.js' },
      /MISS {2}agent: EVAL_AGENT=module:\.\/nope\.js: no such file.+\n {6}-> Follow the message/,
    ],
    [
      'a parameter that is not known',
      { EVAL_AGENT: 'openai:some-model?nope=1', OPENAI_API_KEY: 'k' },
      /MISS {2}agent: EVAL_AGENT=openai:some-model\?nope=1: "nope" \("1"\) is not a parameter of openai\./,
    ],
    [
      'a key',
      { EVAL_AGENT: 'openai:some-model' },
      /MISS {2}agent: openai:some-model: No API key for OpenAI was found\. Set OPENAI_API_KEY, .+\n {6}-> Follow/,
    ],
    [
      'a folder that cannot be written',
      { EVAL_DIR: join(ROOT, 'package.json', 'x') },
      /MISS {2}disk: .+package\.json\/x cannot be written.+\n {6}-> Make it writable, or set EVAL_DIR/,
    ],
    [
      'a split that the Hub refuses',
      { EVAL_GAIA: 'hf:own/questions', HF_ENDPOINT: 'http://127.0.0.1:9', HF_HUB_OFFLINE: '1' },
      /MISS {2}dataset: gaia: hf:own\/questions: the cache does not hold what is needed/,
    ],
  ])('finds %s missing, says what to do and ends with 1', async (_, env, message) => {
    const { code, output } = await viva(['doctor'], env);
    expect(output).toMatch(message);
    expect(output).toContain('1 missing');
    expect(code).toBe(1);
  });

  test('asks no paid agent without being told to', async () => {
    const folder = makeFolder();
    const { code, output } = await viva(['doctor'], { EVAL_AGENT: `command:touch ${folder}/asked` });
    expect(output).toMatch(/- {5}agent: command:touch .+ was not asked: --yes asks it one question/);
    expect(existsSync(join(folder, 'asked'))).toBe(false);
    expect(code).toBe(0);
  });

  test('asks one question when told to, and shows what came', async () => {
    const { code, output } = await viva(['doctor', '--yes'], {
      EVAL_AGENT: 'command:cat >/dev/null; echo FINAL ANSWER: 5',
    });
    expect(output).toMatch(/ok {4}agent: command:.+ answered in \d+\.\d s: "FINAL ANSWER: 5"/);
    expect(code).toBe(0);
  });

  test('says that an agent does not answer', async () => {
    const { code, output } = await viva(['doctor', '--yes'], { EVAL_AGENT: 'command:exit 3' });
    expect(output).toMatch(/MISS {2}agent: command:exit 3 did not answer: .+\n {6}-> Try it by hand/);
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

  test('refuses an option that it does not have', async () => {
    const { code, output } = await viva(['doctor', '--all']);
    expect(output).toMatch(/'--all'\.\nUsage: pnpm viva doctor \[--yes\]/);
    expect(code).toBe(1);
  });
});

test('an unknown command is answered with the nearest', async () => {
  const { code, output } = await viva(['docter']);
  expect(output).toContain('There is no command "docter". Did you mean "doctor"?');
  expect(code).toBe(1);
});
