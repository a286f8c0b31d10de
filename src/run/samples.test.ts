import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { DEFAULT_AGENT } from '../agents/kinds.ts';
import { readHubSettings } from '../data/hub/hub-source.ts';
import { recordOf } from '../data/record-of.ts';
import { toResult } from '../figures/result.fixture.ts';
import { readConfig } from '../settings.ts';
import type { Note, Sample } from '../words/sample.ts';
import { toSample } from '../words/types.fixture.ts';
import type { SuiteDefinition } from './definition.ts';
import { chooseSamples, findChoicesSeed, loadSamples } from './samples.ts';
import { simulateUser } from './simulate-user.ts';

/** A schema of texts that changes them. */
const LOUD = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value: unknown) => ({ value: String(value).toUpperCase() }),
  },
};

const ASKED = { id: 'a', input: 'Capital of France?' };
const RECORD = { ...ASKED, target: 'Paris' };

function load(definition: object, settings: Record<string, string> = {}) {
  const folder = makeFolder({ 'cities.jsonl': `${JSON.stringify(RECORD)}\n` });
  const file = join(folder, 'own.eval.ts');
  const run = { config: readConfig(settings), hub: readHubSettings({}), secrets: [] };
  const suite = { name: 'own', file, definition: definition as SuiteDefinition };
  return loadSamples(suite, run.config.agents ?? [], run);
}

describe('the record of a sample, for its scores', () => {
  const DRAWN = { ...RECORD, group: 'west', metadata: { by: 'us' } };
  const OTHER = { Problem: 'Capital of France?', Answer: 'Paris' };
  const map = ({ Problem, Answer }: typeof OTHER) => ({ input: Problem, target: Answer });
  const SAID = { turns: ['Hi', 'Bye'], target: 'x' };
  const made = {
    name: 'own',
    samples: [{ ...RECORD, suite: 'x', group: 'g', metadata: { a: 1 } }],
  };

  test.each<[string, object, unknown]>([
    ['of a list', { data: [RECORD] }, RECORD],
    ['of a file', { data: './cities.jsonl' }, RECORD],
    ['with a group', { data: [DRAWN], groups: ['by'], group: undefined }, DRAWN],
    ['before map', { data: [OTHER], map }, OTHER],
    ['of a conversation', { data: [SAID] }, SAID],
    ['that its schema changes', { data: [RECORD], schema: { target: LOUD } }, RECORD],
    ['of a dataset that the suite makes', { data: () => made }, { a: 1 }],
  ])('%s', async (_, definition, record) => {
    const { samples } = await load(definition);
    expect(samples.map(recordOf)).toEqual([record]);
  });
});

describe('the data of a suite', () => {
  test.each<[string, object, string]>([
    ['a list', { data: [RECORD] }, 'own'],
    ['a file beside the eval file', { data: './cities.jsonl' }, 'cities'],
    [
      'a function that is given the settings',
      {
        data: async ({ settings }: { settings: { mcq: string } }) => [
          { ...RECORD, id: settings.mcq },
        ],
      },
      'own',
    ],
    [
      'a list of other fields',
      {
        data: [{ q: 'Capital of France?', a: 'Paris' }],
        map: ({ q, a }: { q: string; a: string }) => ({ id: 'a', input: q, target: a }),
      },
      'own',
    ],
  ])('may be %s', async (_, definition, name) => {
    const dataset = await load(definition, { EVAL_MCQ: 'a' });
    expect(dataset.name).toBe(name);
    expect(dataset.samples).toMatchObject([
      { id: 'a', suite: 'own', target: 'Paris', group: 'all' },
    ]);
  });

  test.each<[string, object, string | null, number]>([
    ['a score judges alone', { score: () => true }, '', 0],
    ['a matcher needs a target', { score: () => true, matcher: 'toMatchGaiaAnswer' }, null, 1],
  ])('may have no target where %s', async (_, definition, target, notes) => {
    const dataset = await load({ data: [{ ...ASKED }], ...definition });
    expect([dataset.samples[0]?.target, dataset.notes.length]).toEqual([target, notes]);
  });

  const same = ({ output, target }: { output: string; target: string }) => output === target;
  test.each<[string, object, object, RegExp | readonly string[]]>([
    ['a score reads a misspelt one', { score: same }, { tagret: 'Paris' }, /"tagret" is not read/],
    [
      'one of several scores reads a misspelt one',
      { scores: { long: () => 1, same } },
      { expceted_answer: 'Paris' },
      /No record has a target; "expceted_answer" is not read\. If it is .+ "target"\.$/,
    ],
    ['nothing else would grade', {}, { anwser: 'Paris' }, /has no score\. .+"anwser" is not read/],
    ['a score may read a misspelt one', { score: () => true }, { tagret: '' }, []],
    [
      'a helper may read it',
      { score: (given: never) => same(given) },
      { targt: 'Paris' },
      [expect.stringContaining('"targt" is not read')],
    ],
    [
      'a score reads one by another name',
      { score: same },
      { capital: 'Paris' },
      [expect.stringContaining('No record has a target; "capital" is not read')],
    ],
    ['a score reads none', { score: () => true }, { capital: 'Paris' }, []],
  ])('may have no target, or is refused, where %s', async (_, definition, fields, expected) => {
    const loading = load({ data: [{ ...ASKED, ...fields }], ...definition });
    if (expected instanceof RegExp) await expect(loading).rejects.toThrow(expected);
    else expect((await loading).notes.map(({ text }) => text)).toEqual(expected);
  });

  const FACT = { target: 'Paris', fact: 'on the Seine' };
  const WISH = {
    target: 'Paris',
    persona: 'In a hurry.',
    goal: 'Know the capital before the train leaves.',
  };
  test.each<[string, object, object, readonly string[]]>([
    [
      'no code of its suite reads',
      { score: ({ output }: { output: { fact: string } }) => output.fact === '' },
      FACT,
      ['fact'],
    ],
    [
      'a score reads',
      { scores: { fact: ({ record }: { record: typeof FACT }) => record.fact !== '' } },
      FACT,
      [],
    ],
    [
      'a score reads by another way',
      { score: ({ sample }: { sample: { metadata: object } }) => 'the fact' in sample.metadata },
      { target: 'Paris', 'the fact': 'on the Seine' },
      [],
    ],
    ['nobody speaks of', {}, WISH, ['persona', 'goal']],
    ['the simulated user speaks of', { user: simulateUser() }, WISH, []],
  ])('names a field that %s', async (_, definition, fields, expected) => {
    const { notes } = await load({ data: [{ ...ASKED, ...fields }], ...definition });
    expect(notes.flatMap(({ field }) => field ?? [])).toEqual(expected);
  });

  test('is refused where EVAL_LEVEL would leave it as it is', async () => {
    const picked = { EVAL_LEVEL: '1' };
    await expect(load({ data: [RECORD] }, picked)).rejects.toThrow(
      /own\.eval\.ts: EVAL_LEVEL is "1", but the suite own has no levels\. Unset it, or /,
    );
    const data = [{ ...RECORD, group: 'level 1' }];
    await expect(load({ data, levels: true }, picked)).resolves.toMatchObject({ notes: [] });
  });

  test.each<[string, object, readonly (string | Note)[]]>([
    [
      "expected answers that GAIA's rule takes for nothing",
      {
        data: ['a', 'b', 'c', 'd'].map((id) => ({ ...ASKED, id, target: '...' })),
        matcher: 'toMatchGaiaAnswer',
      },
      [{ kind: 'matched by all', text: expect.stringContaining(' of a, b, c and 1 more. ') }],
    ],
    [
      'what its own code says',
      { data: async () => ({ name: 'own', samples: [toSample()], notes: ['Made by hand.'] }) },
      [{ kind: 'own', text: 'Made by hand.' }],
    ],
  ])('has a note on %s', async (_, definition, notes) => {
    const dataset = await load({ score: () => true, ...definition });
    expect(dataset.notes).toEqual(notes);
  });

  test.each<[string, object, RegExp]>([
    [
      'an empty dataset',
      { data: () => ({ name: 'made', notes: [], samples: [] }) },
      /own\.eval\.ts: the suite has no data\. Set "data" to a list/,
    ],
    [
      'data of another kind',
      { data: { a: 1 } as never },
      /own\.eval\.ts: "data" must be .+, got .+a.+1/,
    ],
    [
      'grouped under nothing',
      { data: [RECORD], group: () => undefined },
      /own\.eval\.ts: "group" must return a string for each sample, but did not for "a", got nothing\. Return the name of/,
    ],
    [
      'neither targets nor a score',
      { data: [ASKED] },
      /own\.eval\.ts: no record has an expected answer, and the suite has no score\. Add "target"/,
    ],
  ])('is refused where it is %s', async (_, definition, message) => {
    await expect(load(definition)).rejects.toThrow(message);
  });
});

test.each<[string, object]>([
  ['in the eval file', { data: [{ ...ASKED, target: ['Paris', 'paris'] }] }],
  [
    'of a function that makes samples',
    {
      data: async () => ({
        name: 'own',
        samples: [
          {
            ...ASKED,
            suite: 'own',
            target: ['Paris', 'paris'],
            group: 'all',
            attachments: [],
            metadata: {},
          },
        ],
        notes: [],
      }),
    },
  ],
])('a suite may accept any one answer of a list %s', async (_, definition) => {
  const target = ['Paris', 'paris'];
  const [any] = (await load({ ...definition, accepts: 'any' })).samples;
  expect(any).toMatchObject({ target, accepts: 'any' });
  const [all] = (await load(definition)).samples;
  expect(all).not.toHaveProperty('accepts');
});

test('a schema of an input that never settles ends at the deadline of the suite', async () => {
  const validate = () => new Promise(() => {});
  const input = { '~standard': { version: 1, vendor: 'own', validate } };
  const definition = { data: [RECORD], schema: { input }, timeoutSeconds: 0.02 };
  await expect(load(definition)).rejects.toThrow(
    /own\.eval\.ts: "schema\.input" of suite own has not ended after 0\.02 s\./,
  );
});

test('EVAL_SKIP_BAD leaves out records that are bad or do not fit their schema', async () => {
  const data = [
    RECORD,
    { id: 'b' },
    { ...RECORD, id: 'c', target: 7 },
    { ...RECORD, id: 'd', target: 8 },
    { ...RECORD, id: 'e' },
  ];
  const target = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: (value: unknown) =>
        typeof value === 'string' ? { value } : { issues: [{ message: 'no text' }] },
    },
  };
  const definition = { data, schema: { target }, group: ({ id }: Sample) => `of ${id}` };
  await expect(load(definition)).rejects.toThrow('EVAL_SKIP_BAD=1 leaves this record out.');
  await expect(
    load({ data: data.filter(({ id }) => id !== 'b'), schema: { target } }),
  ).rejects.toThrow(
    /^2 of 4 records are bad\.[^\n]+\n[^\n]+"c" does not fit[^\n]+\n[^\n]+"d" does not fit/,
  );
  const { samples, leftOut } = await load(definition, { EVAL_SKIP_BAD: '1' });
  // Each keeps its own group.
  expect(samples.map(({ id, group }) => [id, group])).toEqual([
    ['a', 'of a'],
    ['e', 'of e'],
  ]);
  expect(leftOut?.map((place) => place.replace(/^.*\//, ''))).toEqual([
    'own.eval.ts, record 2',
    'own.eval.ts, c',
    'own.eval.ts, d',
  ]);
});

const ANIMALS = toSample({ id: 'q1', choices: { A: 'ant', B: 'bee', C: 'cow', D: 'dog' } });
const PRESENTED = { seed: 9, order: ['A', 'B', 'C', 'D'], target: [1], answer: [1] };

function findSeed(
  agents: string,
  set: number | null,
  sample = ANIMALS,
  changes: Partial<typeof PRESENTED> & { trial?: number } = {},
): number | null {
  const { trial = 1, ...presented } = changes;
  const row = toResult('correct', { suite: 'mcq', id: 'q1', trial });
  const shuffled = makeRun([{ ...row, presented: { ...PRESENTED, ...presented } }]);
  const named = agents.replace('SHUFFLED', shuffled);
  const env = set === null ? {} : { EVAL_SHUFFLE_CHOICES: String(set) };
  const config = readConfig({ EVAL_AGENT: named, ...env });
  return findChoicesSeed([sample], config.agents ?? [], config, 'mcq');
}

test.each([
  ['module:./agent.ts', 7, 7],
  ['replay:predictions.jsonl', null, null],
  ['replay:SHUFFLED', null, 9],
  ['replay:SHUFFLED,module:./agent.ts', 9, 9],
])('the seed for %s with %j set is %j', (agents, set, seed) => {
  expect(findSeed(agents, set)).toBe(seed);
});

test('agents that see different orders are refused', () => {
  expect(() => findSeed('replay,module:./agent.ts', 7)).toThrow(
    'EVAL_AGENT names agents that see options in different orders: replay (as in the file) and module:./agent.ts (shuffled with 7). Run them one by one.',
  );
});

const withChoices = toSample({ choices: { A: 'one', B: 'two' } });

test('another order of options is refused for replayed answers, which name those of then', () => {
  const find = (asked: Sample) => {
    const config = readConfig({ EVAL_SHUFFLE_CHOICES: '3' });
    return findChoicesSeed([asked], [DEFAULT_AGENT], config, 'mcq');
  };
  expect(() => find(withChoices)).toThrow(
    /^EVAL_SHUFFLE_CHOICES=3 cannot shuffle the options of suite mcq: .+ Unset it, or name/,
  );
  const { choices, ...open } = withChoices;
  expect(find(open)).toBeNull();
});

test.each<[string, Sample, Parameters<typeof findSeed>[3]]>([
  ['names an order that its seed does not give', ANIMALS, { order: ['D', 'B', 'C', 'A'] }],
  ['names the seed of another order', ANIMALS, { seed: 8 }],
  ['has the order of another trial', ANIMALS, { trial: 2 }],
  ['was asked with more options', toSample({ id: 'q1', choices: { A: 'a', B: 'b' } }), {}],
  ['has options that are in the dataset no more', toSample({ id: 'q1' }), {}],
])('a replayed answer that %s is refused: its labels mean other texts', (_, sample, changes) => {
  expect(() => findSeed('replay:SHUFFLED', null, sample, changes)).toThrow(
    /^replay:\S+ has an answer to other options, or to another order of them, than \d as a seed gives: "q1", trial \d\. Replay it with the dataset of its run, or ask again\.$/,
  );
});

describe('clusters', () => {
  const records = ['x', 'x', 'y', undefined].map((passage, index) => ({
    id: `q${index}`,
    input: `Question ${index}?`,
    target: 'a',
    // A field that only happens to have the name counts for nothing.
    cluster: 'no',
    passage_id: passage,
  }));
  const made = () => ({
    name: 'made',
    notes: [],
    samples: records.map(({ passage_id, ...sample }) =>
      toSample({ ...sample, metadata: { passage_id } }),
    ),
  });
  const names = ['x', 'x', 'y', undefined];
  type Named = Readonly<{ passage_id?: string; metadata?: { passage_id?: string } }>;
  const byRecord = ({ passage_id, metadata }: Named) => passage_id ?? metadata?.passage_id ?? null;

  test.each<[string, object, readonly (string | undefined)[], string | undefined]>([
    ['none without a word', { data: records }, names.map(() => undefined), undefined],
    ['by a field', { data: records, cluster: 'passage_id' }, names, 'passage_id'],
    ['by a function of the record', { data: records, cluster: byRecord }, names, undefined],
    [
      'by a field that map leaves out',
      {
        data: records,
        map: ({ id, input, target }: (typeof records)[number]) => ({ id, input, target }),
        cluster: 'passage_id',
      },
      names,
      'passage_id',
    ],
    [
      'by a field of the metadata that map gives',
      {
        data: records,
        map: ({ passage_id, cluster: _, ...record }: (typeof records)[number]) => ({
          ...record,
          metadata: { from: passage_id },
        }),
        cluster: 'from',
      },
      names,
      'from',
    ],
    [
      'by a field of the samples that data returns',
      { data: made, cluster: 'passage_id' },
      names,
      'passage_id',
    ],
    ['by a function of the samples', { data: made, cluster: byRecord }, names, undefined],
  ])('are named: %s', async (_, definition, expected, clusteredBy) => {
    const dataset = await load(definition);
    expect(dataset.samples.map(({ cluster }) => cluster)).toEqual(expected);
    expect(dataset.clusteredBy).toBe(clusteredBy);
  });

  test('are named by a hash where the value is long or has lines', async () => {
    const long = ['A story.\nIts end.', 'x'.repeat(61), ' short '];
    const data = long.map((story, index) => ({ ...records[index], story }));
    const { samples } = await load({ data, cluster: 'story' });
    const hash = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(samples.map(({ cluster }) => cluster)).toEqual([hash, hash, 'short']);
  });

  const failAtQ2 = ({ id }: { id: string }) => {
    // A text has no stack, which would say that the code is viva's own.
    if (id === 'q2') throw 'oops';
    return { id, input: id, target: 'a' };
  };

  test.each<[string, object, string]>([
    ['a misspelt field', { data: records, cluster: 'pasage' }, '"pasage"'],
    ['one of samples', { data: made, cluster: 'pasage' }, 'no sample has "pasage" in its metadata'],
    [
      'no name',
      { data: records, cluster: () => ({}) },
      ', record 1: "cluster" must return a string or a number, or null, got {}',
    ],
    [
      'no name of a sample',
      { data: made, cluster: () => true },
      'eval.ts: "cluster" must return a string or a number, or null, but did not for "q0", got true',
    ],
    [
      'a throw',
      { data: records, cluster: (record: { id: string }) => failAtQ2(record).id },
      ', record 3: "cluster" failed',
    ],
    [
      'a throw of a sample',
      { data: made, cluster: (record: { id: string }) => failAtQ2(record).id },
      '"cluster" failed for "q2"',
    ],
    ['a throw of map', { data: records, map: failAtQ2 }, ', record 3: "map" failed'],
    [
      'a promise',
      { data: records, cluster: () => Promise.resolve('x') },
      ', record 1: "cluster" returned a promise',
    ],
  ])('are refused: %s', async (_, definition, message) => {
    await expect(load(definition)).rejects.toThrow(message);
  });

  test('are asked for where texts above the questions repeat', async () => {
    const data = ['One.', 'One.', 'Two.'].map((context, index) => {
      return { id: `q${index}`, context, question: `Question ${index}?`, answer: 'a' };
    });
    const noted = async (definition: object) =>
      (await load(definition)).notes.filter(({ kind }) => kind === 'clusters');
    expect(await noted({ data })).toEqual([
      {
        kind: 'clusters',
        text: '2 of 3 questions share 1 text of "context", but intervals take all for independent, so they may be too narrow. Write cluster: "context" in defineEval.',
      },
    ]);
    expect(await noted({ data, cluster: 'context' })).toEqual([]);
    expect(await noted({ data: data.slice(1) })).toEqual([]);
    expect(await noted({ data, cluster: ({ id }: { id: string }) => id })).toEqual([]);
  });
});

describe('EVAL_IDS', () => {
  const config = readConfig({});
  const six = [...'abcdef'].map((id) => toSample({ id }));
  const choose = (ids: string, suites: number | null, asked = six, before?: readonly string[]) => {
    const run = {
      config: { ...config, ids: ids === '' ? null : ids.split(',') },
      suites,
      shard: null,
    };
    const { samples, unmatchedIds, excluded } = chooseSamples(asked, false, run, six, before);
    return { ids: samples.map(({ id }) => id).join(''), unmatchedIds, excluded };
  };

  test.each([
    ['*,!x', 'abcdef', ['!x'], undefined],
    ['*,!a', 'bcdef', [], { ids: ['a'], of: 6 }],
    ['x,a', 'a', ['x'], undefined],
  ])(
    'of several suites leaves what is no id here to the others: %s',
    (ids, chosen, unmatchedIds, excluded) => {
      expect(choose(ids, null)).toEqual({ ids: chosen, unmatchedIds, excluded });
    },
  );

  test('of one suite is refused by its name', () => {
    expect(() => choose('*,!x', 1)).toThrow(
      'EVAL_IDS: "x" matches none of 6 samples of own. The first ids: a, b, c, d, e, f.',
    );
  });

  test.each([
    ['', 'cdef', ['a', 'b'], 6],
    ['*,!c', 'def', ['a', 'b', 'c'], 6],
  ])('is counted in a replay of a run that left some out: %j', (ids, chosen, leftOut, of) => {
    const { excluded, ids: found } = choose(ids, 2, six.slice(2), ['a', 'b']);
    expect([found, excluded]).toEqual([chosen, { ids: leftOut, of }]);
  });
});
