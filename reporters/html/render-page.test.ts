import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { toResult } from '../../src/figures/result.fixture.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { makeReport } from '../../test/html/make-report.ts';
import { makeRun, planned } from '../../test/make-run.ts';
import { readPageFile, readScript } from './render-page.ts';

const style = readPageFile('report.css');

test.each([
  ['the report', readScript()],
  ['the page of labels', readScript(['elements', 'label'])],
])(
  'the modules of %s become one script, which cannot end its element; neither can the style',
  (_, script) => {
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/^(import|export) /m);
    expect(style + script).not.toMatch(/<\/(style|script)|<!--/i);
  },
);

test.each([
  [
    'exports of records with levels',
    { exports: ['answers.csv'], questions: planned(['a'], 'level 1') },
    true,
  ],
  ['exports of an own suite', { exports: ['answers.csv'], questions: planned(['a']) }, false],
  ['levels of an own suite', { exports: [], questions: planned(['a'], 'level 1') }, false],
] as const)('the page warns of publishing GAIA, or does not, for %s', (_, suite, isWarned) => {
  const { suites } = readManifest(makeRun([toResult('correct', { dataset: 'own' })], { suite }));
  const page = readFileSync(
    makeReport([{ id: 'a', output: '17', dataset: 'own' }], {}, [], suites),
    'utf8',
  );
  expect(page.includes('GAIA is gated')).toBe(isWarned);
});
