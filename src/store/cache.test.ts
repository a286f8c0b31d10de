import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { AgentError, type Outcome } from '../words/answer.ts';
import { AnswerCache, type CacheKey, toLine } from './cache.ts';

const PARTS: CacheKey = {
  agent: 'a',
  name: 'n',
  prompt: 'p',
  question: 'q',
  steps: 5,
  deadline: 1000,
  trial: 1,
};
const time = '2026-11-21T00:00:00.000Z';
const times = {
  started_at: time,
  answered_at: time,
  latency_ms: 5,
  own_delay_ms: 2,
  attempts: 1,
  cached: true,
};

function toAnswer(text: string | null): Outcome {
  return { ...times, outcome: 'answered', answer: { output: text } };
}

/** A cache whose files have these lines, by the files' names. */
function makeCache(files: Readonly<Record<string, readonly string[]>>): AnswerCache {
  return new AnswerCache(
    makeFolder(
      Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, lines.join('\n')])),
    ),
  );
}

describe('the answer of a question', () => {
  const good = toLine(PARTS, toAnswer('good'));

  test('is the latest one, of one file and of several', () => {
    const newer = toLine(PARTS, toAnswer('newer'));
    expect(makeCache({ '1.jsonl': [good, newer] }).find(PARTS)).toEqual(toAnswer('newer'));
    const cache = makeCache({ '2.jsonl': [newer], '1.jsonl': [good] });
    expect([cache.find(PARTS), cache.find(PARTS)]).toEqual([toAnswer('newer'), toAnswer('newer')]);
  });

  test.each([
    [
      'torn where it happens to end in braces',
      `${good.slice(0, good.indexOf('"answer":'))}"answer":{}`,
    ],
    ['glued to another', `${good.slice(0, -20)}${good}`],
    ['of another version', good.replace('"version":1', '"version":2')],
  ])('is not hidden by a line %s', (_, line) => {
    expect(makeCache({ '1.jsonl': [good, line] }).find(PARTS)).toEqual(toAnswer('good'));
    expect(makeCache({ '1.jsonl': [line] }).find(PARTS)).toBeNull();
  });

  test.each([
    ['"output":"good"', '"output":"gold"'],
    ['"sum":', '"sum":1'],
  ])('is not taken from a damaged line: %s is %s', (whole, damaged) => {
    const line = good.replace(whole, damaged);
    expect(line).not.toBe(good);
    expect(makeCache({ '1.jsonl': [line] }).find(PARTS)).toBeNull();
  });

  test('is what an earlier process put last, an error too', () => {
    const folder = makeFolder({ '0.jsonl': `${good}\n` });
    const facts = { status: 504, requestId: 'r', progress: { steps: 2 } };
    const error = new AgentError('timed_out', 'late', facts);
    const failed: Outcome = { ...times, outcome: 'failed', error };
    new AnswerCache(folder).put(PARTS, { ...failed, cached: false, slots: 3 }, () => {});
    expect(new AnswerCache(folder).find(PARTS)).toEqual(failed);
    expect(readFileSync(join(folder, '0.jsonl'), 'utf8')).toBe(`${good}\n`);
  });

  test('is found beside folders, pipes and broken links that are named like files of answers', () => {
    const folder = makeFolder({ '1.jsonl': good });
    mkdirSync(join(folder, '2.jsonl'));
    execFileSync('mkfifo', [join(folder, '3.jsonl')]);
    const targets = ['2.jsonl', '3.jsonl', '/dev/zero', 'gone'];
    for (const [index, target] of targets.entries())
      symlinkSync(target, join(folder, `${index + 4}.jsonl`));
    expect(new AnswerCache(folder).find(PARTS)).toEqual(toAnswer('good'));
  });

  // A file that can be opened and not be read, whoever reads it.
  test.runIf(process.platform === 'linux')(
    'cannot be looked for if a file cannot be read, which is named',
    () => {
      const folder = makeFolder();
      symlinkSync('/proc/self/mem', join(folder, '3.jsonl'));
      expect(() => new AnswerCache(folder)).toThrow(
        `${join(folder, '3.jsonl')}: this file of the answer cache cannot be read (EIO`,
      );
    },
  );
});

describe('what changed since a question was answered', () => {
  const keep = (...changes: Partial<CacheKey>[]) =>
    makeCache({
      '1.jsonl': changes.map((change) => toLine({ ...PARTS, ...change }, toAnswer('x'))),
    });

  test.each<[string, Partial<CacheKey>[], readonly string[] | null]>([
    ['nothing is known of a new question', [{ question: 'other' }], null],
    ['all parts that differ', [{ prompt: 'old', steps: 6 }], ['prompt', 'steps']],
    [
      'what differs from the nearest answer, not from the latest',
      [{ prompt: 'old' }, { prompt: 'x', agent: 'x' }],
      ['prompt'],
    ],
    [
      'what differs from the latest of equally near ones',
      [{ agent: 'old' }, { prompt: 'old' }],
      ['prompt'],
    ],
    ['the order of options', [{ order: 'other' }], ['order']],
    ['answers of the same trial come first', [{ prompt: 'old' }, { trial: 2 }], ['prompt']],
    [
      'another agent says nothing',
      [
        { agent: 'old', name: 'other' },
        { name: 'other', prompt: 'old' },
      ],
      null,
    ],
    ['another trial alone is a new trial', [{ trial: 2, prompt: 'old' }], ['trial']],
    ['nothing', [{}], []],
  ])('%s', (_, kept, changed) => {
    expect(keep(...kept).explainMiss(PARTS)).toEqual(changed);
  });
});

test.each([
  [true, 0o700, 0o600],
  [false, 0o755, 0o644],
])('is for the user alone where the dataset is private: %s', (isPrivate, ofFolder, ofFile) => {
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const folder = join(makeFolder(), 'suite');
  const cache = new AnswerCache(folder, 'on', true, isPrivate);
  cache.describeAgent(PARTS.agent, { 'agent.ts': '1' });
  cache.put(PARTS, { ...toAnswer('x'), slots: 1 }, () => {});
  const modes = [folder, `${folder},agents`].map((each) => {
    const [file = ''] = readdirSync(each);
    return [each, join(each, file)].map((path) => statSync(path).mode & 0o777);
  });
  expect(modes).toEqual([1, 2].map(() => [ofFolder, ofFile]));
});
