import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * "node scripts/check-release.mjs v0.2.0 owner/repository": whether this tag may be published from this
 * repository. It runs on the Node of the machine, before anything is installed.
 */

const [tag = '', repository = ''] = process.argv.slice(2);
const read = (name) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
const manifest = JSON.parse(read('package.json'));
const address = manifest.repository?.url ?? manifest.repository ?? '';

const problems = [
  tag !== `v${manifest.version}` &&
    `the tag is ${tag}, and "version" in package.json is ${manifest.version}`,
  manifest.private === true && 'package.json says "private"',
  !manifest.name.startsWith('@') &&
    `"name" in package.json is ${manifest.name}: set your scope, as in @you/${manifest.name}`,
  !`${address}`.includes(repository || '?') &&
    `"repository" in package.json must be this one, ${repository}: npm compares it with the provenance`,
  !read('CHANGELOG.md').includes(`\n## ${manifest.version}\n`) &&
    `CHANGELOG.md has no "## ${manifest.version}"`,
].filter((problem) => problem !== false);

for (const problem of problems) console.error(`Not released: ${problem}.`);
process.exit(problems.length === 0 ? 0 : 1);
