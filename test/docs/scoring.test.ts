import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { extractFinalAnswer, scoreGaia } from '../../src/index.ts';
import { compareFormulas } from '../../src/matchers/compare-formulas.ts';
import { FORMS } from '../../src/scoring/mcq/forms.ts';
import { ROOT } from '../e2e/run-vitest.ts';

const page = readFileSync(join(ROOT, 'docs/scoring.md'), 'utf8');

test.each(['README.md', 'docs/scoring.md'])(
  '%s shows verdicts that the official rule gives',
  (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8');
    const rows = [...text.matchAll(/^\| `(.*?)` \| `(.*?)` \| (correct|wrong) \|/gm)];
    expect(rows.length).toBeGreaterThan(5);
    for (const [, answer = '', truth = '', verdict] of rows) {
      expect([answer, truth, scoreGaia(answer, truth).correct ? 'correct' : 'wrong']).toEqual([
        answer,
        truth,
        verdict,
      ]);
    }
  },
);

describe('docs/scoring.md', () => {
  test('names each form in which an answer is found', () => {
    const rows = rowsOf('## GAIA: finding the answer');
    expect(rows).toHaveLength(9);
    for (const [how, output] of rows)
      expect(extractFinalAnswer(output)).toEqual({
        answer: '17',
        how,
        certain: how !== 'closing words',
      });
  });

  test('names each form of choices in order, with its first example', () => {
    const rows = FORMS.map(({ name, reads, examples: [first], needsEnd }) => {
      const example = (first?.[0] ?? '').replaceAll('\n', '<br>');
      return `| \`${name}\` | ${reads}${needsEnd ? ' *' : ''} | \`${example}\` |`;
    });
    const [, section = ''] = page.split('## Multiple choice: finding the choice');
    const shown = section.split('\n').filter((line) => /^\| `(?!how`)/.test(line));
    expect(shown.slice(0, rows.length)).toEqual(rows);
  });

  test('shows verdicts on mathematics', async () => {
    const rows = [...page.matchAll(/^\| `(.*?)` \| `(.*?)` \| (equal|different) \|/gm)];
    expect(rows.length).toBeGreaterThan(10);
    const pairs = rows.map(([, answer = '', target = '']) => [answer, target] as const);
    const verdicts = (await compareFormulas(pairs)).map((is) =>
      is === true ? 'equal' : 'different',
    );
    expect(rows.map(([row], index) => [row, verdicts[index]])).toEqual(
      rows.map(([row, , , verdict]) => [row, verdict]),
    );
  });
});

/** The first and the last cell of each row of a section's table. */
function rowsOf(section: string): readonly (readonly [how: string, output: string])[] {
  const text = page.slice(page.indexOf(section)).split('\n## ')[0] ?? '';
  return [...text.matchAll(/^\| `([A-Za-z ]+)` \| .* \| `([^|]*)` \|$/gm)].map(
    ([, how = '', output = '']) => [how, output.replaceAll('<br>', '\n')],
  );
}
