import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import {
  anchorNamedFiles,
  describeMissingCommand,
  findLocalImports,
  findNamedFiles,
  importsOf,
  lookAgain,
  readFiles,
  seeFile,
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

describe('importsOf', () => {
  const files = {
    'tool.py': '',
    'lib/__init__.py': '',
    'lib/add.py': '',
    'lib/deep/__init__.py': '',
    'lib/deep/sub.py': '',
    'prompt.md': '',
    'log.txt': '',
  };

  test.each<[name: string, source: string, found: readonly string[]]>([
    ['a.py', 'import tool', ['tool.py']],
    ['a.py', 'import os, tool as t', ['tool.py']],
    ['a.py', 'from lib import add, missing', ['lib/__init__.py', 'lib/add.py']],
    [
      'a.py',
      'from lib.deep import (\n  sub,\n  other,\n)',
      ['lib/__init__.py', 'lib/deep/__init__.py', 'lib/deep/sub.py'],
    ],
    ['a.py', 'def f():\n    import lib.add', ['lib/__init__.py', 'lib/add.py']],
    ['lib/b.py', 'from .add import x', ['lib/add.py']],
    ['lib/b.py', 'from . import add', ['lib/add.py']],
    ['lib/deep/b.py', 'from ..add import x', ['lib/add.py']],
    ['lib/b.py', 'import tool', ['tool.py']],
    ['a.py', "open('prompt.md').read()", ['prompt.md']],
    ['a.py', "Path(__file__).parent / 'prompt.md'", ['prompt.md']],
    [
      'a.py',
      "import importlib; importlib.import_module('lib.add')",
      ['lib/__init__.py', 'lib/add.py'],
    ],
    ['a.py', "(Path(__file__).parent / 'lib' / 'add.py').read_text()", ['lib/add.py']],
    ['a.py', "open(os.path.join('lib', 'deep', 'sub.py'))", ['lib/deep/sub.py']],
    ['a.py', "open('log.txt', 'a')\nPath('log.txt').write_text('')", []],
    ['a.py', "LOG = join(HERE, 'prompt.md')\nif x:\n    with open(LOG, 'a') as f: f.write('')", []],
    ['a.py', "LOG = Path('prompt.md')\nopen(LOG)\nLOG.write_text('')", []],
    ['a.py', '# import nothing\nimport json', []],
    ['a.sh', 'exec python3 tool.py "$@"', ['tool.py']],
    ['a.sh', 'cat "$(dirname "$0")/prompt.md" >log.txt', ['prompt.md']],
    ['a.sh', '. "$HERE"/tool.py; $HERE/lib/add.py', ['tool.py', 'lib/add.py']],
    ['a.sh', '# see prompt.md', []],
    ['run', '#!/usr/bin/env bash\npython3 tool.py', ['tool.py']],
    ['run', '#!/usr/bin/python3\nimport tool', ['tool.py']],
    ['run', 'import tool', []],
    ['a.rb', 'File.read("prompt.md")', ['prompt.md']],
  ])('finds what %s has in %j', (name, source, found) => {
    const folder = makeFolder({ ...files, [name]: source });
    expect([...new Set(importsOf(join(folder, name)))].toSorted()).toEqual(
      found.map((each) => join(folder, each)).toSorted(),
    );
  });
});

describe('lookAgain', () => {
  test('names a file whose content has changed, and no other', () => {
    const folder = makeFolder({ a: 'one', b: 'one' });
    const path = join(folder, 'a');
    const look = lookAgain([seeFile(path, 'a'), seeFile(join(folder, 'b'), 'b')]);
    expect(look()).toBeNull();
    utimesSync(path, 1, 1);
    expect(look()).toBeNull();
    writeFileSync(path, 'two');
    expect(look()).toBe('a');
    writeFileSync(path, 'one');
    expect(look()).toBeNull();
    rmSync(path);
    expect(look()).toBe('a');
  });
});
