import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const MANIFEST = JSON.parse(readFileSync('package.json', 'utf8'));
const { version } = MANIFEST;
const OWNED = {
  name: '@owner/viva',
  repository: { type: 'git', url: 'git+https://github.com/Owner/viva.git' },
};

/** A clone with this package.json. */
function makeClone(manifest: object): string {
  const folder = makeFolder({ 'package.json': JSON.stringify(manifest) });
  for (const file of ['scripts/check-release.mjs', 'CHANGELOG.md'])
    cpSync(file, join(folder, file));
  return folder;
}

/** What the check says of a tag of the repository Owner/viva, in this clone. */
function check(cwd: string, tag: string, ...args: string[]): string {
  const env = { ...process.env, GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: 'Owner/viva' };
  const words = ['scripts/check-release.mjs', ...args];
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd,
    env: { ...env, SCOPE: 'Owner' },
    encoding: 'utf8',
  });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

test.each([
  [`v${version}`, {}, ''],
  ['v9.9.9', {}, `Not released: the tag is v9.9.9, and must be v${version}.\n`],
  [`v${version}`, { private: true }, 'Not released: package.json says "private".\n'],
  ['v0.9.0', { version: '0.9.0' }, 'Not released: CHANGELOG.md has no "## 0.9.0".\n'],
])(
  'the tag %s of a clone whose package.json has %j is published if it is right, and from main alone',
  (tag, fields, problem) => {
    const clone = makeClone({ ...MANIFEST, ...fields });
    const git = (...words: string[]) => {
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
      execFileSync('git', [...who, ...words], { cwd: clone });
    };
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'a');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(check(clone, tag)).toBe(problem);
    git('commit', '-q', '--allow-empty', '-m', 'b');
    const elsewhere = `Not released: the commit of ${tag} is not on origin/main.\n`;
    expect(check(clone, tag)).toBe(problem + elsewhere);
  },
);

test.each([
  [OWNED, ''],
  [{ ...OWNED, name: 'viva' }, 'the name in viva.tgz is viva, and must be @owner/viva'],
  [
    { ...OWNED, repository: { url: 'git+https://github.com/Owner/viva-old.git' } },
    'the repository in viva.tgz is git+https://github.com/Owner/viva-old.git, and must be git+https://github.com/Owner/viva.git',
  ],
  [{ name: OWNED.name }, 'the repository in viva.tgz is undefined'],
])(
  'a packed file with %j is published only with the name of its owner and its repository',
  (fields, problem) => {
    const clone = makeClone(MANIFEST);
    mkdirSync(join(clone, 'package'));
    writeFileSync(join(clone, 'package/package.json'), JSON.stringify({ ...MANIFEST, ...fields }));
    execFileSync('tar', ['-czf', 'viva.tgz', 'package'], { cwd: clone });
    const told = check(clone, `v${version}`, 'viva.tgz');
    expect(told.startsWith(problem === '' ? '' : `Not released: ${problem}`)).toBe(true);
    expect(told === '').toBe(problem === '');
  },
);
