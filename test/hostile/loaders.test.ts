import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnyText } from '../../src/data/files/read-file.ts';
import { RecordError } from '../../src/data/files/record.ts';
import { loadGaia, loadMcq } from '../../src/data/load.ts';
import type { Dataset, Sample } from '../../src/words/sample.ts';
import { cpuTime } from '../cpu-time.ts';
import { makeFolder } from '../make-folder.ts';
import { ACTING, hostileText } from './hostile-text.ts';

const LOADERS = { gaia: loadGaia, mcq: loadMcq } as const;

/**
 * What a loader says of a file: its samples, or the message of the one kind of error that it may
 * throw.
 */
async function load(
  suite: keyof typeof LOADERS,
  path: string,
): Promise<readonly Sample[] | string> {
  try {
    const { samples, notes }: Dataset = await LOADERS[suite]({ path });
    for (const { text } of notes) expect(text).not.toMatch(ACTING);
    return samples;
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    for (const message of [error.message, error.idsOnly]) {
      expect(message).not.toMatch(ACTING);
      // Where, what and what to do; a line where the fault has one.
      expect(message).toMatch(/x\.\w+(?::\d+)?(?: \(id ".*"\))?: .+\. [A-Z"].*\.$/s);
    }
    return error.message;
  }
}

function holds(suite: string, samples: readonly Sample[], folder: string): void {
  expect(new Set(samples.map(({ id }) => id)).size).toBe(samples.length);
  for (const { id, input, target, choices, attachments } of samples) {
    expect([typeof id, typeof input]).toEqual(['string', 'string']);
    for (const { path } of attachments) expect(path.startsWith(folder)).toBe(true);
    if (suite !== 'mcq' || target === null || target === 'NONE') continue;
    for (const label of String(target).split(','))
      expect(Object.hasOwn(choices ?? {}, label)).toBe(true);
  }
}

const GAIA = {
  Question: 'How many, "x"?',
  'Final answer': '17',
  file_name: '',
  'Annotator Metadata': { Steps: '1. Look.\n2. Count.' },
};

/** Files without a fault, by the end of their name. */
const VALID = {
  gaia: {
    '.jsonl': [1, 2, 3]
      .map((Level) => JSON.stringify({ ...GAIA, task_id: `id-${Level}`, Level }))
      .join('\n'),
    '.json':
      '[\n{"question": "x", "answer": "1", "id": 1},\n{"question": "y", "answer": "2", "id": 2}\n]',
    '.csv': 'id,question,answer\na,"x, ""y""\nz",1\nb,u,2\n',
  },
  mcq: {
    '.csv': 'id,question,options,answer\n1,Which?,a|b|c,B\n2,"Which, then?",x|y,A\n',
    '.tsv': 'question\tA\tB\tanswer\nWhich?\tone\ttwo\tB\n',
    '.jsonl':
      '{"question":"q","choices":{"label":["A","B"],"text":["x","y"]},"answerKey":"A"}\n{"question":"r","choices":{"label":["A","B"],"text":["x","z"]},"answerKey":"B"}\n',
    '.json': '[{"question":"q","options":["x","y"],"answer":"y","subject":"s"}]',
  },
} as const;

const cases = Object.entries(VALID).flatMap(([suite, files]) =>
  Object.entries(files).map(
    ([end, text]) => ({ suite: suite === 'mcq' ? 'mcq' : 'gaia', end, text }) as const,
  ),
);

/** One change to the bytes of a file: where, how many go, what comes. */
const change = fc.record({
  at: fc.nat(400),
  removed: fc.nat(30),
  added: fc.oneof(
    hostileText.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        ...['"', '\\', '{', '[', ']', '}', ',', '\n', 'null', '1e999', '"__proto__":1,'],
      )
      .map(Buffer.from),
  ),
});

function mutate(
  text: string,
  changes: readonly { at: number; removed: number; added: Buffer }[],
): Buffer {
  return changes.reduce<Buffer>((bytes, { at, removed, added }) => {
    const start = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, start), added, bytes.subarray(start + removed)]);
  }, Buffer.from(text));
}

describe('a loader returns samples or says where the fault is, and does nothing else', () => {
  test.each(cases)('for a changed $suite file ($end)', async ({ suite, end, text }) => {
    const folder = makeFolder();
    const path = join(folder, `x${end}`);
    const start = cpuTime();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), async (changes) => {
        writeFileSync(path, mutate(text, changes));
        const loaded = await load(suite, path);
        if (changes.length === 0) expect(loaded).not.toBeTypeOf('string');
        if (typeof loaded !== 'string') holds(suite, loaded, folder);
      }),
      { numRuns: 80, examples: [[[]]] },
    );
    expect(cpuTime() - start).toBeLessThan(20_000);
  });

  test('for any bytes under any name', async () => {
    const folder = makeFolder();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      hostileText.map((text) => Buffer.from(text)),
    );
    const ends = fc.constantFrom('.csv', '.tsv', '.json', '.jsonl', '.txt');
    await fc.assert(
      fc.asyncProperty(bytes, ends, fc.constantFrom('gaia', 'mcq'), async (content, end, suite) => {
        const path = join(folder, `x${end}`);
        writeFileSync(path, content);
        await load(suite, path);
      }),
      { numRuns: 150 },
    );
  });

  test('for any values in the fields that some layout reads', async () => {
    const folder = makeFolder();
    const path = join(folder, 'x.json');
    const name = fc.constantFrom(
      ...'task_id,Question,Level,Final answer,file_name,id,question,answer,level,file,subject,options,choices'.split(
        ',',
      ),
      ...'target,type,context,__proto__,label,answer_index,A,B,option1,option2,opa,opb,cop,mc1_targets,text'.split(
        ',',
      ),
      ...'stem,correct_answer,incorrect_answers,distractor1,Correct Answer,Incorrect Answer 1'.split(
        ',',
      ),
    );
    const word = fc.constantFrom(
      ...'A;a|b;A. x|B. y;ALL;none;0;?;multi;single;a.txt;0-0-0-0-0'.split(';'),
    );
    const text = fc.oneof(hostileText, word);
    const odd = fc.constantFrom<unknown>({ toString: 1 }, [{ toString: [] }], 1, 2);
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      text,
      fc.array(text),
      fc.dictionary(word, text),
      odd,
    );
    const record = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(name, value, { maxKeys: 9 }),
      fc.record({ id: value, question: text, answer: value, level: word, subject: value }),
      fc.record({ question: fc.constant('q'), options: value, answer: value }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 3 }), async (records) => {
        writeFileSync(path, JSON.stringify(records));
        for (const suite of ['gaia', 'mcq'] as const) {
          const loaded = await load(suite, path);
          if (typeof loaded !== 'string') holds(suite, loaded, folder);
        }
      }),
      { numRuns: 500 },
    );
  });
});

const DEEP = 100_000;
const nested = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;

const FIVE_THOUSAND = Array.from({ length: 5_000 }, (_, at) => `q${at},a|b,B`);
const toMcq = (fields: object) =>
  JSON.stringify([{ question: 'q', options: ['x', 'y'], answer: 'A', ...fields }]);

describe('huge and deeply nested files', () => {
  test.each<[string, keyof typeof LOADERS, string, string, string | number]>([
    [
      'a value nested 100,000 deep',
      'gaia',
      'x.json',
      `[{"question":"q","answer":"1","m":${nested}}]`,
      1,
    ],
    [
      'options nested 100,000 deep',
      'mcq',
      'x.json',
      `[{"question":"q","answer":"A","options":${nested}}]`,
      'deeply',
    ],
    ['a table of quotes', 'mcq', 'x.csv', '"'.repeat(500_000), 'has no records'],
    [
      'a question of 10 MB',
      'gaia',
      'x.jsonl',
      JSON.stringify({ question: 'x '.repeat(5e6), answer: '1' }),
      1,
    ],
    ['100,000 options', 'mcq', 'x.json', toMcq({ options: 'a|'.repeat(1e5) }), 'at most 26'],
    ['an answer of 100,000 labels', 'mcq', 'x.json', toMcq({ answer: 'A,'.repeat(1e5) }), 1],
    [
      '5,000 records',
      'mcq',
      'x.csv',
      `question,options,answer\n${FIVE_THOUSAND.join('\n')}`,
      5_000,
    ],
    ['NUL bytes', 'gaia', 'x.jsonl', '\0'.repeat(100_000), 'not valid JSON'],
  ])('%s', async (_, suite, name, text, outcome) => {
    const start = cpuTime();
    const loaded = await load(suite, join(makeFolder({ [name]: text }), name));
    if (typeof outcome === 'string') expect(loaded).toContain(outcome);
    else expect(loaded).toHaveLength(outcome);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });

  test('a text larger than can be held is refused by its size', () => {
    const path = join(makeFolder({ 'x.jsonl': '{"a": "123456789"}' }), 'x.jsonl');
    expect(() => readAnyText(path, 10)).toThrow(
      'the file has 18 bytes; at most 10 are read. Split it',
    );
  });
});

test('ids that a folder or an object may confuse stay apart', async () => {
  const ids = [
    ...'__proto__,constructor,toString,../../x,a/b,a,A,é,e\u0301,\0, x,0'.split(','),
    'x'.repeat(9_000),
  ];
  const records = ids.map((id) => ({ id, question: `What is ${id}?`, answer: '1' }));
  const path = join(makeFolder({ 'x.json': JSON.stringify(records) }), 'x.json');
  const loaded = await load('gaia', path);
  expect(typeof loaded === 'string' ? loaded : loaded.map(({ id }) => id)).toEqual(
    ids.map((id) => id.trim()),
  );
});
