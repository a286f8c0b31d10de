import { expect, test } from 'vitest';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import { readRun } from '../../src/compare/read-run.ts';
import { toTrials } from '../../src/metrics/result.fixture.ts';
import { writePrompt } from '../../src/store/run-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { renderBaseline } from './sections.ts';

test('the baseline shows the answers to changed questions, and how the prompts differ, as text', () => {
  const [a, b] = ['Think.', 'Think <b>twice</b>.'].map((text, index) => {
    const folder = makeRun(toTrials('q1', index === 0 ? '-' : '+', { prompt_hash: `${index}` }), {
      name: `run ${index}`,
    });
    writePrompt(folder, 'gaia', text, `${index}`);
    return readRun(folder);
  });
  if (a === undefined || b === undefined) throw new Error('two runs are needed');
  const { text } = renderBaseline(compareRuns(a, b));
  expect(text).toContain(
    '<li class="note">fixed 1:</li><li class="note part">  q1: text -&#62; text (expected truth)</li>',
  );
  expect(text).toContain(
    'gaia, prompt 0 of run 0 (-) and 1 of run 1 (+):</figcaption>\n<pre class="diff" dir="auto"><del>-Think.</del>\n<ins>+Think &#60;b&#62;twice&#60;/b&#62;.</ins>\n</pre>',
  );
});
