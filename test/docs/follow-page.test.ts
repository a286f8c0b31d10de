import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { followPage } from './follow-page.ts';
import { findAnchors, findBlocks, findCode, findLinks } from './markdown.ts';

type Written = readonly [marks: string, text: string];

/** A page whose blocks are given as [first line, text]. */
function toPage(blocks: readonly Written[]): string {
  return blocks.map(([marks, text]) => `\`\`\`${marks}\n${text}\n\`\`\`\n`).join('\n');
}

async function problemsOf(...blocks: readonly Written[]): Promise<readonly string[]> {
  const { untrue } = await followPage(toPage(blocks), makeFolder());
  return untrue.map(({ problem }) => problem);
}

describe('a page', () => {
  test('is true where files, exit codes and lines are as it says', async () => {
    const problems = await problemsOf(
      ['text file=a/note.txt', 'one\ntwo  in 3.4 ms\nthree\nfour'],
      ['sh run', 'cat a/note.txt'],
      ['text shown', '  one\n\n  two in   12 s\n...\nfour'],
      ['sh run exit=3', 'exit 3'],
      ['sh', 'exit 4'],
    );
    expect(problems).toEqual([]);
  });

  test.each([
    ['another exit code', 'sh run', 'exit 2', '', 'exit code 2, not 0'],
    ['no failure where it names one', 'sh run exit=1', 'true', '', 'exit code 0, not 1'],
    ['a line that is not printed', 'sh run', 'echo 12', '13', 'not printed: 13'],
    ['a part of a line', 'sh run', 'echo 12', '1', 'not printed: 1'],
    ['lines apart', 'sh run', 'printf "a\\nb\\nc"', 'a\nc', 'not printed: a\nc'],
  ])('is untrue: %s', async (_, marks, script, shown, expected) => {
    expect(await problemsOf([marks, script], ['text shown', shown])).toEqual([expected]);
  });

  test('is untrue: an earlier output', async () => {
    const runs = ['a', 'b'].map((text): Written => ['sh run', `echo ${text}`]);
    expect(await problemsOf(...runs, ['text shown', 'a'])).toEqual(['not printed: a']);
  });
});

test('links, code and anchors are read outside of blocks', () => {
  const page = `# A \`b\`: c, d\n[x](y.md#z) and \`one\` ![p](q.png)\n${toPage([['md', '[no](no.md) `no`\n# no']])}`;
  expect(findLinks(page)).toEqual(['y.md#z', 'q.png']);
  expect(findCode(page)).toEqual(['b', 'one']);
  expect(findAnchors(page)).toEqual(['a-b-c-d']);
  expect(findBlocks(page)).toEqual([
    { language: 'md', marks: new Map(), text: '[no](no.md) `no`\n# no\n' },
  ]);
});
