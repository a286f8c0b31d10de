import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

// Fills dist, which is the package: declarations by tsc ("pnpm types" checks the sources), the code,
// and the files that are read as they are. npm takes no "exports" from
// "publishConfig": its package would name sources that are not in it.
if (process.env['npm_config_user_agent']?.startsWith('npm/')) {
  process.stderr.write(
    'viva is packed and published by pnpm: run "pnpm pack" or "pnpm publish".\n',
  );
  process.exit(1);
}
process.chdir(join(import.meta.dirname, '..'));
rmSync('dist', { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
await bundle();
for (const folder of ['reporters/page/app', 'evals/gaia', 'evals/mcq']) {
  cpSync(folder, join('dist', folder), {
    recursive: true,
    filter: (path) => !/\.ts$|tsconfig\.json$/.test(path),
  });
}
cpSync('src/words/amounts.js', 'dist/src/words/amounts.js');
