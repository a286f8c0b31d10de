import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What the check of a release says of a tag, with these fields of package.json. */
function check(tag: string, fields: object = {}): string {
  const folder = makeFolder();
  cpSync('scripts/check-release.mjs', join(folder, 'scripts/check-release.mjs'));
  cpSync('CHANGELOG.md', join(folder, 'CHANGELOG.md'));
  const manifest = { ...JSON.parse(readFileSync('package.json', 'utf8')), ...fields };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = [join(folder, 'scripts/check-release.mjs'), tag, 'owner/viva'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

const OWNED = { name: '@owner/viva', repository: 'github:owner/viva' };

test('a tag is released once the package has its owner, and its version is in the changelog', () => {
  expect(check(`v${version}`, OWNED)).toBe('');
});

test.each([
  ['v9.9.9', OWNED, /the tag is v9\.9\.9/],
  [`v${version}`, { ...OWNED, name: 'viva' }, /set your scope/],
  [`v${version}`, { ...OWNED, private: true }, /private/],
  [`v${version}`, { ...OWNED, repository: 'github:other/viva' }, /must be this one, owner\/viva/],
  [`v${version}`, {}, /scope.+\n.*"repository"/],
  ['v0.9.0', { ...OWNED, version: '0.9.0' }, /no "## 0\.9\.0"/],
])('%s is not released: %j', (tag, fields, problem) => {
  expect(check(tag, fields)).toMatch(problem);
});
