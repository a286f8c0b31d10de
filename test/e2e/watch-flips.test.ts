import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { type Watch, watchVitest } from './watch-vitest.ts';

/**
 * Writes down each id that it is asked. A prompt that says "twice" makes it right on b*, and wrong
 * on a1.
 */
const AGENT = `import { appendFileSync } from 'node:fs';
export default ({ id, prompt }) => {
  appendFileSync(new URL('calls', import.meta.url), id + ' ');
  const right = /twice/.test(prompt) ? id !== 'a1' : id.startsWith('a');
  return 'FINAL ANSWER: ' + (right ? 17 : 18);
};`;

const records = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map(
  (id) => ({ id, level: id.startsWith('a') ? 1 : 2 }) as const,
);

/**
 * Watch mode on a copy of the project whose prompt is broken and may be edited, with an agent whose
 * calls are counted.
 */
function watchAgent() {
  const folder = makeFolder({ 'agent.ts': AGENT, calls: '' });
  const { env, folder: questions } = writeGaiaFixture(records);
  const project = copyProject();
  const dir = makeFolder();
  const settings = {
    ...env,
    EVAL_LIMIT: '6',
    EVAL_DIR: dir,
    EVAL_AGENT: `module:${folder}/agent.ts`,
  };
  const prompt = join(project, 'evals/gaia/prompt.md');
  const edit = (change: (text: string) => string, file = prompt) =>
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  edit(breakPrompt);
  const watch = watchVitest(['evals/gaia'], settings, project);
  const metadata = join(questions, '2023/validation/metadata.jsonl');
  return {
    ...{ watch, dir, edit, metadata },
    takeCalls: () => {
      const calls = readFileSync(join(folder, 'calls'), 'utf8').split(' ').filter(Boolean).sort();
      writeFileSync(join(folder, 'calls'), '');
      return calls;
    },
  };
}

function breakPrompt(text: string): string {
  return text.replace('{{question}}', '{question}');
}

/** The lines about flips, which follow the table, without the words that all have in common. */
function flipsOf(screen: string): readonly string[] {
  const lines = screen
    .slice(screen.lastIndexOf('median'))
    .split('\n')
    .map((line) => line.trim());
  return lines
    .filter((line) => /compared with|^fixed |^broken | -> |^[-+]/.test(line))
    .map((line) => line.replace(/^gaia, module:\S+: compared with watch /, ''));
}

async function name(watch: Watch, filter: string): Promise<string> {
  watch.press('t');
  await sleep(300);
  watch.press(filter);
  await sleep(300);
  watch.press('\r');
  return watch.nextReport();
}

describe('watch mode', () => {
  test('asks what an edit changed, shows which verdicts changed, and refuses a prompt without its question', async () => {
    const { watch, dir, edit, metadata, takeCalls } = watchAgent();
    const refused = await watch.nextReport();
    expect(refused).toMatch(
      /Refused: The prompt of evals\/gaia\/gaia\.eval\.ts has no \{\{question\}\}/,
    );
    expect([takeCalls(), readdirSync(dir)]).toEqual([[], []]);
    edit((prompt) => prompt.replace('{question}', '{{question}}'));
    expect(flipsOf(await watch.nextReport())).toEqual([]);
    expect(takeCalls()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);

    edit((prompt) => `${prompt}\nThink twice.\n`);
    expect(flipsOf(await watch.nextReport())).toEqual([
      expect.stringMatching(
        /^run 1 \(the prompt changed\), on 6 questions: \+33\.3 pp .+; 3 fixed, 1 broken$/,
      ),
      'broken 1:',
      'a1: 17 -> 18 (expected 17)',
      'fixed 3:',
      ...['b1', 'b2', 'b3'].map((id) => `${id}: 18 -> 17 (expected 17)`),
      '+',
      '+Think twice.',
    ]);
    expect(takeCalls()).toHaveLength(6);

    watch.press('f');
    expect(flipsOf(await watch.nextReport())).toEqual([
      'run 2, on 6 questions: no verdict changed',
    ]);
    expect(takeCalls()).toEqual([]);

    edit((records) => records.replace('What is b2?', 'What exactly is b2?'), metadata);
    expect(flipsOf(await watch.nextReport())).toEqual([
      'run 3 (the dataset changed), on 5 questions: no verdict changed',
    ]);
    expect(takeCalls()).toEqual(['b2']);

    const narrowed = await name(watch, 'level 1');
    expect(narrowed).toMatch(/: 3 questions, 3 cached, nothing to ask$/m);
    expect(narrowed).toContain('PARTIAL: 3 of 6 tests');
    expect(narrowed).toContain(': you used -t');
    expect(flipsOf(narrowed)).toEqual(['run 4, on 3 questions: no verdict changed']);
    // The name still narrows: an edit asks only what it lets through.
    edit((prompt) => prompt.replace('twice', 'once'));
    const again = await watch.nextReport();
    expect(again).toMatch(/: 3 questions, 0 cached, 3 to ask, cost not known$/m);
    expect(flipsOf(again)).toEqual([
      expect.stringMatching(
        /^run 5 \(the prompt changed\), on 3 questions: \+33\.3 pp .+; 1 fixed, 0 broken; with 3 questions/,
      ),
      'fixed 1:',
      'a1: 18 -> 17 (expected 17)',
      '-Think twice.',
      '+Think once.',
    ]);
    expect(takeCalls()).toEqual(['a1', 'a2', 'a3']);

    // All again: watch run 4 was the last one that had them all, with the prompt before.
    expect(flipsOf(await name(watch, ''))).toEqual([
      expect.stringMatching(
        /^run 4 \(the prompt changed\), on 6 questions: -33\.3 pp .+; 1 fixed, 3 broken$/,
      ),
      'broken 3:',
      ...['b1', 'b2', 'b3'].map((id) => `${id}: 17 -> 18 (expected 17)`),
      'fixed 1:',
      'a1: 18 -> 17 (expected 17)',
      '-Think twice.',
      '+Think once.',
    ]);
    expect(takeCalls()).toEqual(['b1', 'b2', 'b3']);

    const latest = readlinkSync(join(dir, 'latest'));
    edit(breakPrompt);
    expect(await watch.nextReport()).toContain('exit 1: nothing was asked');
    expect([takeCalls(), readlinkSync(join(dir, 'latest'))]).toEqual([[], latest]);
  });
});
