import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/settings.ts';
import { ROOT } from '../e2e/run-vitest.ts';

const page = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(EVAL_\w+)` \| (.*?) \| (.*?) \|/gm)].map(
  ([, name = '', takes = '', usual = '']) => [name, takes, usual] as const,
);

function problemOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

const settings =
  problemOf({ EVAL_NONE: '1' })
    .split('Known: ')[1]
    ?.match(/\bEVAL_[A-Z_]+/g) ?? [];

test('docs/settings.md lists every setting', () => {
  expect(rows.map(([name]) => name).toSorted()).toEqual(settings.toSorted());
});

test('.env.example has every setting, and no other', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const names = [...text.matchAll(/^#? ?(EVAL_\w+)=/gm)].map(([, name]) => name);
  expect([...new Set(names)].toSorted()).toEqual(settings.toSorted());
});

test.each(rows.filter(([, takes]) => !takes.includes('](')))(
  'docs/settings.md says what %s takes',
  (name, takes) => {
    const problem = problemOf({ [name]: '!' });
    if (problem !== '') expect(problem).toBe(`${name} must be ${takes}, got "!".`);
  },
);

test('docs/settings.md says each default that the code has', () => {
  const usual = readConfig({});
  // A default in words is what the absence of a value means.
  const stated = rows.filter(([, , cell]) => /^`[^`]*`$/.test(cell));
  const values = Object.values(usual).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  expect(stated).toHaveLength(values.length);
  const env = Object.fromEntries(stated.map(([name, , cell]) => [name, cell.replaceAll('`', '')]));
  expect(readConfig(env)).toEqual({ ...usual, trialsSet: true });
});
