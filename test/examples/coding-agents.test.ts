import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Workdir } from '../../src/run/workdir.ts';
import { makeAgent } from '../agents/ask-agent.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { areInstalled, askExample, FOLDER } from './ask-example.ts';

const CODING = [
  { name: 'claude-code', file: join(ROOT, 'examples/agents/claude-code.ts') },
  ...(areInstalled
    ? [{ name: 'claude-agent-sdk', file: join(FOLDER, 'claude-agent-sdk.ts') }]
    : []),
];

test.each(CODING)(
  '$name works in the work folder, shows its steps, and counts what it says it cost',
  async ({ file }) => {
    const programs = join(ROOT, 'test/fixtures/coding-agents');
    vi.stubEnv('PATH', `${programs}${delimiter}${process.env['PATH'] ?? ''}`);
    const agent = await makeAgent(`module:${file}`, { load: vi.importActual });
    const workdir = new Workdir([]);
    const call = { name: 'Write', arguments: '{"file_path":"note.txt"}', failed: false };
    const first = { text: '', reasoning: 'hm', tool_calls: [{ ...call, result: 'written' }] };
    const usage = { input_tokens: 128, cached_tokens: 100, output_tokens: 11 };
    const spent = { model: 'claude-made-up', cost: 0.25, steps: 2, usage };
    expect(await askExample(agent, 'Write pear.', { workdir })).toMatchObject({
      answer: { output: 'Done.', ...spent, trace: [first, { text: 'Done.', tool_calls: [] }] },
    });
    expect(readFileSync(join(workdir.path, 'note.txt'), 'utf8')).toBe('pear');
    await workdir.remove();
    expect(await askExample(agent, 'ENDLESS')).toMatchObject({
      answer: { output: null, reason: 'error_max_turns', ...spent, trace: [first] },
    });
    expect(await askExample(agent, 'BUSY')).toMatchObject({
      error: { kind: 'rate_limit', message: 'API Error: 429', progress: spent },
    });
    expect(await askExample(agent, 'BROKEN')).toMatchObject({
      error: { kind: 'agent_crash', message: expect.stringContaining('code 3') },
    });
    expect(await askExample(agent, 'SILENT', { deadlineMs: 4000 })).toMatchObject({
      error: { kind: 'timed_out', progress: { trace: [{ reasoning: 'hm' }] } },
    });
    expect(agent.remarks?.()).toEqual([]);
  },
);

test('says where there is no Claude Code', async () => {
  const agent = await makeAgent(`module:${join(ROOT, 'examples/agents/claude-code.ts')}`);
  vi.stubEnv('PATH', '');
  expect(await askExample(agent, 'x')).toMatchObject({
    error: { message: expect.stringContaining('spawn claude ENOENT') },
  });
});
