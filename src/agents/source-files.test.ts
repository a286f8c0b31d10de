import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { findLocalImports, fingerprintFiles } from './source-files.ts';

describe('findLocalImports', () => {
  test.each([
    "import { b } from './b.ts';",
    'import"./b.ts"',
    "export * from './b.ts'",
    "export {\n  b,\n} from\n'./b.ts'",
    "const b = await import('./b.ts')",
    'import(`./b.ts`)',
    "import(/* webpackIgnore */ /* x */ './b.ts')",
    "const b = require('./b')",
    "import b from './b.js'",
    "import b from './b.ts?raw'",
    "readFileSync(new URL('./b.ts', import.meta.url))",
    "import b from 'file://FOLDER/b.ts'",
    "import b from 'FOLDER/b.ts'",
  ])('finds the file of %j', (source) => {
    const folder = makeFolder({ 'b.ts': '' });
    const found = findLocalImports(join(folder, 'a.ts'), source.replace('FOLDER', folder));
    expect(found).toEqual([join(folder, 'b.ts')]);
  });

  test.each([
    "import { b } from 'b'",
    "import './missing.ts'",
    "import('./' + name)",
    "const path = './b.ts'",
    "import './folder'",
    "import 'file://%'",
  ])('finds nothing in %j', (source) => {
    const folder = makeFolder({ 'b.ts': '', 'folder/x.ts': '' });
    expect(findLocalImports(join(folder, 'a.ts'), source)).toEqual([]);
  });

  test.each(["import '", '/*', "'./'", "from './b", 'import('])(
    'takes a time that grows with the text: %j',
    (piece) => {
      const start = cpuTime();
      findLocalImports('/nowhere/a.ts', piece.repeat(30_000));
      expect(cpuTime() - start).toBeLessThan(2000);
    },
  );
});

describe('fingerprintFiles', () => {
  const files = { 'a.ts': "import './lib/b.ts'", 'lib/b.ts': "import '../a.ts'; import './c.json'", 'lib/c.json': '1' };
  const take = (folder: string) => fingerprintFiles([join(folder, 'a.ts')], folder);

  test('is the same in another folder', () => {
    expect(take(makeFolder(files))).toBe(take(makeFolder(files)));
  });

  test.each(['a.ts', 'lib/b.ts', 'lib/c.json'])('changes with %s, imported at whatever depth', (file) => {
    const folder = makeFolder(files);
    const before = take(folder);
    writeFileSync(join(folder, file), `${files[file as keyof typeof files]} `);
    expect(take(folder)).not.toBe(before);
  });

  test('does not change with a file that is not imported', () => {
    const folder = makeFolder(files);
    const before = take(folder);
    writeFileSync(join(folder, 'lib/d.ts'), '1');
    expect(take(folder)).toBe(before);
  });

  test('tells which of two files that import each other is meant', () => {
    const folder = makeFolder(files);
    expect(fingerprintFiles([join(folder, 'lib/b.ts')], folder)).not.toBe(take(folder));
  });
});
