import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import {
  anchorNamedFiles,
  describeMissingCommand,
  findLocalImports,
  findNamedFiles,
  readFiles,
} from './source-files.ts';

describe('findLocalImports', () => {
  test.each([
    "import { b } from './b.ts';",
    "export * from './b.ts'",
    "export {\n  b,\n} from\n'./b.ts'",
    "const b = await import('./b.ts')",
    'import(`./b.ts`)',
    "const b = require('./b')",
    "import b from './b.js'",
    "readFileSync(new URL('./b.ts', import.meta.url))",
    "import b from 'FOLDER/b.ts'",
    "import type from './b.ts'",
    "import type { A } from './a.ts'; import { b } from './b.ts'",
  ])('finds the file of %j', (source) => {
    const folder = makeFolder({ 'b.ts': '' });
    const found = findLocalImports(join(folder, 'a.ts'), source.replace('FOLDER', folder));
    expect(found).toEqual([join(folder, 'b.ts')]);
  });

  test.each([
    "import { b } from 'b'",
    "import './missing.ts'",
    "import('./' + name)",
    "import './folder'",
    "import type { B } from './b.ts'",
    "import type B from'./b.ts'",
    "export type {\n  B,\n} from './b.ts'",
    "export type * as b from './b.ts'",
  ])('finds nothing in %j', (source) => {
    const folder = makeFolder({ 'b.ts': '', 'folder/x.ts': '' });
    expect(findLocalImports(join(folder, 'a.ts'), source)).toEqual([]);
  });
});

describe('readFiles', () => {
  const files = {
    'a.ts': "import './lib/b.ts'",
    'lib/b.ts': "import '../a.ts'; import './c.json'",
    'lib/c.json': '1',
  };
  const take = (folder: string) => readFiles([join(folder, 'a.ts')], folder).hash;

  test.each(['a.ts', 'lib/b.ts', 'lib/c.json'])(
    'changes with %s, imported at whatever depth',
    (file) => {
      const folder = makeFolder(files);
      const before = take(folder);
      writeFileSync(join(folder, file), `${files[file as keyof typeof files]} `);
      expect(take(folder)).not.toBe(before);
    },
  );

  test('does not change with a file that is not imported', () => {
    const folder = makeFolder(files);
    const before = take(folder);
    writeFileSync(join(folder, 'lib/d.ts'), '1');
    expect(take(folder)).toBe(before);
  });
});

const NAMED_FILES = {
  'agent.py': '',
  'a/in.json': '',
  run: '',
  'my file.txt': '',
  "it's.txt": '',
  'log.txt': '',
  'k.txt': '',
};

test.each([
  [
    'run agent.py ROOT/k.txt agent.py --in=a/in.json >log.txt missing.py',
    ['run', 'agent.py', 'k.txt', 'a/in.json'],
  ],
  ['X=agent.py ./run <k.txt 2>&1', ['agent.py', 'run', 'k.txt']],
  [`python3 'agent.py' "my file.txt" --say='two words'`, ['agent.py', 'my file.txt']],
  ['cd a && python3 in.json k.txt', ['k.txt']],
  ['sh -c "python3 agent.py" $HOME/agent.py *.py', []],
])('finds the files that words of %j name', (line, files) => {
  const root = makeFolder(NAMED_FILES);
  const named = findNamedFiles(line.replaceAll('ROOT', root), root);
  expect(named.map((file) => relative(root, file))).toEqual(files);
});

test.each([
  ['python3 agent.py', "python3 'ROOT/agent.py'"],
  ['./run a/in.json', "'ROOT/run' 'ROOT/a/in.json'"],
  ['x --config=a/in.json', "x --config='ROOT/a/in.json'"],
  ['x "my file.txt" | y <agent.py', "x 'ROOT/my file.txt' | y <'ROOT/agent.py'"],
  [`x "it's.txt"`, `x 'ROOT/it'\\''s.txt'`],
  // A plain word, a file that is written to, a folder, and words that only the
  // shell can expand.
  ['run run', 'run run'],
  ['x >log.txt', 'x >log.txt'],
  ['x $PWD/agent.py "$(cat agent.py)"', 'x $PWD/agent.py "$(cat agent.py)"'],
  ["x missing.py 'open", "x missing.py 'open"],
  ['./run # agent.py\nx agent.py', "'ROOT/run' # agent.py\nx 'ROOT/agent.py'"],
])('anchors %j', (line, anchored) => {
  const root = makeFolder(NAMED_FILES);
  expect(anchorNamedFiles(line, root)).toBe(anchored.replaceAll('ROOT', root));
});

test.each([
  ['pyhton x.py', 'pyhton'],
  ['/no/such/program', '/no/such/program'],
  ['cd /tmp && pyhton x.py', null],
  ['if true; then echo 17; fi', null],
  ['PATH=bin:$PATH pyhton x.py', null],
  ['"pyhton" x.py', null],
])('the missing command of %s is %s', (target, missing) => {
  const problem = describeMissingCommand(target, makeFolder());
  if (missing === null) expect(problem).toBeNull();
  else expect(problem).toContain(`command not found: ${missing}. Correct`);
});
