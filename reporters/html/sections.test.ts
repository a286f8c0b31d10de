import { expect, test } from 'vitest';
import { toTrials } from '../../src/figures/result.fixture.ts';
import { summarize } from '../../src/figures/summarize.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { makeRun } from '../../test/make-run.ts';
import { renderPrompts } from './sections.ts';

const TEXTS = [
  `Think.\n${'x'.repeat(2000)}\n{{question}}`,
  `Think <b>.\n${'x'.repeat(2000)}\n{{question}}`,
];

test('shows each prompt in full, and how the others differ from the first', () => {
  const prompts = ['aaaa1111', 'bbbb2222'].map((hash, index) => ({
    hash,
    file: '',
    name: `${index}.md`,
  }));
  const folder = makeRun(toTrials('q1', '+'), { suite: { prompts } });
  for (const [index, { hash }] of prompts.entries())
    new RunWriter(folder).prompt('gaia', TEXTS[index] ?? '', hash);
  const { text } = renderPrompts({
    folder,
    manifest: readManifest(folder),
    summary: summarize([]),
  });
  expect(text).toContain(
    `<summary>gaia: 0.md@aaaa1111</summary>\n<pre dir="auto">${TEXTS[0]}</pre>`,
  );
  expect(text).toContain(
    'gaia, 0.md@aaaa1111 (-) and 1.md@bbbb2222 (+):</figcaption>\n<pre class="diff" dir="auto"><del>-Think.</del>\n<ins>+Think &#60;b&#62;.</ins>\n',
  );
});
