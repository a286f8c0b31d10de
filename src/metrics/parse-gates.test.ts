import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseGates } from './parse-gates.ts';

const GATE = { suite: 'gaia', dataset: 'sample', group: 'all', min_accuracy: 0.5 };
const toFile = (...gates: unknown[]) => ({ version: 1, gates });

it.each([
  [{ min_accuracy: 0 }],
  [{ max_drop: 0.05, max_errored: 1 }],
  [{ min_accuracy: 0.5, advisory: true }],
  [{ min_accuracy: 0.5, advisory: false }],
])('reads a gate with %j as it stands', (thresholds) => {
  const gate = { suite: 'gaia', dataset: 'sample', group: 'level 1', ...thresholds };
  expect(parseGates(toFile(gate, GATE), 'gates.json')).toStrictEqual([gate, GATE]);
});

it('reads a file without gates', () => {
  expect(parseGates(toFile(), 'gates.json')).toEqual([]);
});

it.each<[unknown, string]>([
  [null, 'gates.json must be an object, got null (null). Its keys are version, gates.'],
  [
    [GATE],
    'gates.json must be an object, got [{"suite":"gaia","dataset":"sample","group":"all","min_accuracy":0.5}] (list).',
  ],
  [undefined, 'gates.json must be an object, got nothing. Its keys are version, gates.'],
  [{ gates: [] }, 'gates.json: "version" must be 1, got nothing. Write "version": 1.'],
  [{ version: '1', gates: [] }, 'gates.json: "version" must be 1, got "1" (string). Write "version": 1.'],
  [{ version: 1, gates: {} }, 'gates.json: "gates" must be a list, got {} (object). Write "gates": [] for none.'],
  [
    { version: 1, gate: [] },
    'gates.json has an unknown key, got "gate" (string). Did you mean "gates"? Known: version, gates.',
  ],
  [
    toFile(GATE, 'all'),
    'gates.json: gates[1] must be an object, got "all" (string). Its keys are suite, dataset, group,',
  ],
  [
    toFile({ ...GATE, min_acuracy: 1 }),
    'gates.json: gates[0] has an unknown key, got "min_acuracy" (string). Did you mean "min_accuracy"? Known: suite,',
  ],
  [toFile(JSON.parse('{"__proto__": {}}')), 'gates.json: gates[0] has an unknown key, got "__proto__" (string).'],
  [toFile({ ...GATE, suite: undefined }), 'gates.json: gates[0]: "suite" must be a text, got nothing. Write the suite'],
  [
    toFile({ ...GATE, dataset: '' }),
    'gates.json: gates[0]: "dataset" must be a text, got "" (string). Write the dataset',
  ],
  [toFile({ ...GATE, group: 1 }), 'gates.json: gates[0]: "group" must be a text, got 1 (number). Write the group'],
  [
    toFile({ suite: 'gaia', dataset: 'sample', group: 'all' }),
    'gates.json: gates[0] has no threshold, got {"suite":"gaia","dataset":"sample","group":"all"} (object). Give it min_accuracy, max_drop, max_errored or several of them.',
  ],
  [
    toFile({ ...GATE, min_accuracy: 60 }),
    'gates.json: gates[0]: "min_accuracy" must be a number from 0 to 1, got 60 (number). Write 0.6 for 60 %.',
  ],
  [toFile({ ...GATE, min_accuracy: '0.6' }), '"min_accuracy" must be a number from 0 to 1, got "0.6" (string).'],
  [toFile({ ...GATE, max_drop: -0.1 }), '"max_drop" must be a number from 0 to 1, got -0.1 (number).'],
  [toFile({ ...GATE, max_errored: null }), '"max_errored" must be a number from 0 to 1, got null (null).'],
  [
    toFile({ ...GATE, advisory: 'yes' }),
    'gates[0]: "advisory" must be true or false, got "yes" (string). Leave it out',
  ],
])('refuses %j with place, value and remedy', (json, message) => {
  expect(() => parseGates(json, 'gates.json')).toThrow(message);
});

it('cuts a long value', () => {
  expect(() => parseGates({ version: 'x'.repeat(10_000), gates: [] }, 'gates.json')).toThrow(/^.{0,200}$/);
});

it('throws nothing but its own errors, whatever the file holds', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.jsonValue().map((gate) => toFile(gate)),
      ),
      (json) => {
        try {
          parseGates(json, 'gates.json');
        } catch (error) {
          expect(String(error)).toMatch(/^Error: gates\.json/);
        }
      },
    ),
  );
});
