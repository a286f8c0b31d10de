import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Whether the tag of .github/workflows/release.yml may be published: "node scripts/check-release.mjs" looks at the
 * clone, and with the path of a packed file at that file. It runs on the Node of the machine, before anything is installed.
 */

const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository, SCOPE: scope = '' } = process.env;
const [file] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const read = (name) => readFileSync(join(root, name), 'utf8');
const unpack = (archive) =>
  execFileSync('tar', ['-xzOf', archive, 'package/package.json'], { encoding: 'utf8' });
const manifest = JSON.parse(file === undefined ? read('package.json') : unpack(file));

function isOnMain() {
  const words = ['merge-base', '--is-ancestor', 'HEAD', 'origin/main'];
  return spawnSync('git', words, { cwd: root }).status === 0;
}

const differs = (what, value, expected) =>
  value !== expected && `${what} is ${value}, and must be ${expected}`;

const problems = [
  differs('the tag', tag, `v${manifest.version}`),
  manifest.private === true && 'package.json says "private"',
  !read('CHANGELOG.md').includes(`\n## ${manifest.version}\n`) &&
    `CHANGELOG.md has no "## ${manifest.version}"`,
  ...(file === undefined
    ? [!isOnMain() && `the commit of ${tag} is not on origin/main`]
    : [
        differs(`the name in ${file}`, manifest.name, `@${scope.toLowerCase()}/viva`),
        // npm compares it with the provenance.
        differs(
          `the repository in ${file}`,
          manifest.repository?.url,
          `git+https://github.com/${repository}.git`,
        ),
      ]),
].filter((problem) => problem !== false);

for (const problem of problems) console.error(`Not released: ${problem}.`);
process.exit(problems.length === 0 ? 0 : 1);
