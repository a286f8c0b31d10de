import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMPILED } from '../compile-cache.ts';
import { ROOT, runVitest } from '../e2e/run-vitest.ts';
import { startFakeHub } from '../hub/fake-hub.ts';
import { makeRecords, toSplitFiles, VALIDATION } from '../hub/gaia-dataset.ts';
import { makeFolder } from '../make-folder.ts';
import { startViva } from '../run-shell.ts';

/** Runs `viva` with words and settings, without a terminal to ask. */
function viva(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const own = { ...COMPILED, HOME: makeFolder(), EVAL_DIR: makeFolder() };
  const env = { PATH: process.env['PATH'] ?? '', ...own, ...settings };
  return startViva(words, { cwd: ROOT, env });
}

const ODD_SERVER = join(ROOT, 'test/mcp/odd-server.ts');

/** A file with one server that behaves as this mode says. */
function mcpFile(mode: string): string {
  const args = [ODD_SERVER, mode];
  const content = {
    mcpServers: { odd: { command: process.execPath, args, env: { API_KEY: 'abcdefgh-1234' } } },
  };
  return join(makeFolder({ 'mcp.json': JSON.stringify(content) }), 'mcp.json');
}

describe('viva doctor', () => {
  test('finds everything for MCP servers, and names the dry run', async () => {
    const { code, output } = await viva(['doctor'], {
      EVAL_AGENT: 'command:exit 3',
      EVAL_MCP: mcpFile('good'),
    });
    expect(output).not.toMatch(/MISS|abcdefgh/);
    expect(output).toMatch(/ok {4}mcp: odd 1\.2\.3 starts and lists \d+ tools/);
    expect(output.trim().split('\n').at(-1)).toBe(
      'All checks passed. Now see what each suite would ask: EVAL_DRY_RUN=1 npx vitest run evals',
    );
    expect(code).toBe(0);
  });

  test('names a dry run that downloads the dataset, says what would be asked, and asks nothing', async () => {
    const files = toSplitFiles('validation', makeRecords(VALIDATION));
    const hub = await startFakeHub({ files, token: 'hf_secret' });
    const folder = makeFolder();
    const { code, output } = await runVitest(['run', 'evals'], {
      EVAL_DRY_RUN: '1',
      EVAL_GAIA: 'hf:own/questions',
      HF_ENDPOINT: hub.url,
      HF_TOKEN: 'hf_secret',
      HF_HOME: makeFolder(),
      EVAL_AGENT: `command:touch ${join(folder, 'asked')}`,
    });
    expect(output).toMatch(/gaia, command:touch .+: 165 questions, 0 cached, 165 to ask/);
    expect(output).toMatch(/mcq, command:touch .+: 48 questions, 0 cached, 48 to ask/);
    expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toHaveLength(39);
    expect(existsSync(join(folder, 'asked'))).toBe(false);
    expect(output).toContain('exit 0: a dry run asks nothing.');
    expect(code).toBe(0);
  });

  test('tells all that is missing, what to do about it, and no key', async () => {
    const { code, output } = await viva(['doctor'], {
      EVAL_AGENT: 'openai:some-model',
      EVAL_BASELINE: '/nowhere',
      EVAL_DIR: join(ROOT, 'package.json', 'x'),
      EVAL_MCP: mcpFile('dies'),
    });
    expect(output).toMatch(
      /MISS {2}disk: .+package\.json\/x cannot be written.+\n {6}-> Make it writable, or set EVAL_DIR/,
    );
    expect(output).toMatch(/MISS {2}baseline: EVAL_BASELINE must be an earlier run/);
    expect(output).toMatch(/MISS {2}mcp: "odd": it did not start: .+exit code 7.+API_KEY=\[key\]/);
    expect(output).toMatch(/\n {6}-> Correct .+, or set EVAL_MCP=off\./);
    expect(output).toMatch(
      /MISS {2}agent: openai:some-model: No API key for OpenAI was found\. .+\n {6}-> Follow/,
    );
    expect(output).toContain('4 checks failed');
    expect(code).toBe(1);
  });
});
