import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkGates, parseGates } from './gates.ts';
import { calibrate, countGrades } from './judge-calibration.ts';
import { MEASURES, type MeasureEntry } from './measures.ts';
import { compare } from './paired-comparison.ts';
import { JUDGE, toResult } from './result.fixture.ts';
import { summarize } from './summarize.ts';

const ENTRIES: readonly (readonly [string, MeasureEntry])[] = Object.entries(MEASURES);
const GROUP = { suite: 'gaia', dataset: 'made-up', group: 'all' };

/** A gate with one limit, as gates.json has it. */
function toGate(name: string, { key }: MeasureEntry, limit: unknown) {
  return { ...GROUP, [name]: key === undefined ? limit : { name: 'total', [key]: limit } };
}

const parse = (...gates: readonly unknown[]) => parseGates({ version: 1, gates }, 'gates.json');

const GRADED = { ...JUDGE, criterion: 'is funny', verdicts: [4], scale: 5 };

/** Answers with all that figures are made of; most of them are right. */
const rows = Array.from({ length: 24 }, (_, index) =>
  toResult(index % 4 === 0 ? 'incorrect' : index === 1 ? 'errored' : 'correct', {
    id: `q${index}`,
    target: index % 2 === 0 ? 'spam' : 'ham',
    latency_ms: 100 + index,
    first_token_ms: 10 + index,
    usage: { input_tokens: 100, output_tokens: 10, cached_tokens: 50, reasoning_tokens: 5 },
    cost_usd: 0.1,
    scores: { total: index % 4 === 0 ? 0 : 0.8 },
    judge: { ...JUDGE, cost_usd: 0.01, others: [GRADED] },
  }),
);
const better = rows.map((row) => toResult('correct', { ...row, scores: { total: 1 } }));
const labels = { passed: { as_pass: 9, as_fail: 1 }, failed: { as_pass: 1, as_fail: 9 } };
const grades = countGrades([...Array(9).fill([2, 2]), ...Array(9).fill([4, 4])], 5);
const summary = summarize(rows, ({ criterion }) =>
  calibrate(criterion === GRADED.criterion ? grades : labels),
);

function check(gate: unknown, baseline = better) {
  return checkGates(parse(gate), summary, () => compare(baseline, rows), rows);
}

describe.each(ENTRIES)('the limit %s', (name, entry) => {
  const { allows } = entry;
  const most = Math.min(allows.most, 1e6);
  const [strict, lax] = name.startsWith('min_') ? [most, 0] : [0, most];

  it('is read from gates.json, and refused with what it may be', () => {
    const gate = toGate(name, entry, 0.5);
    expect(parse(gate)).toEqual([gate]);
    for (const wrong of [-1, '1', null, ...(allows.most === 1 ? [1.5] : [])]) {
      const refused = () => parse(toGate(name, entry, wrong));
      expect(refused).toThrow(`must be a number ${allows.range}, got `);
      expect(refused).toThrow(`Write ${allows.example}.`);
    }
  });

  it('is met or missed by the figures of a run, and says so in its words', () => {
    for (const [limit, holds] of [
      [lax, true],
      [strict, false],
    ]) {
      const [result, ...others] = check(toGate(name, entry, limit));
      expect(result).toMatchObject({ measure: name, threshold: limit, holds });
      expect(result?.value).toEqual(expect.any(Number));
      if (holds === true) expect(result?.explanation).toContain(entry.subject);
      expect(others).toEqual([]);
    }
  });
});

it('has the limits of docs/ci.md, in its order', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/ci.md'), 'utf8');
  const [, table = ''] = /\n## Fields of a gate\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const meanings = new Map(
    [...table.matchAll(/^\| (`.+?`) \| (.+) \|$/gm)].flatMap(([, names = '', meaning = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, meaning] as const),
    ),
  );
  const names = ENTRIES.map(([name]) => name);
  expect([...meanings.keys()]).toEqual(['suite', 'dataset', 'group', ...names, 'advisory']);
  for (const [name, { key, allows }] of ENTRIES) {
    if (key !== undefined) expect(meanings.get(name)).toContain(`"${key}": 0.`);
    else if (allows.most === 1) expect(meanings.get(name)).toContain(allows.range);
  }
});
