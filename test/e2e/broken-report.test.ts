import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyProject } from './copy-project.ts';
import { runFolderOf, runVitest } from './run-vitest.ts';

/** Runs two samples in a copy of the project in which a module imports a package that is not installed. */
async function runWithout(module: string) {
  const cwd = copyProject();
  const file = join(cwd, module);
  writeFileSync(file, `import 'not-installed';\n${readFileSync(file, 'utf8')}`);
  return runVitest(['run', 'evals/gaia'], { EVAL_LIMIT: '2' }, { cwd });
}

test('a package that is missing for the report costs no row, and the end says what is wrong', async () => {
  const { code, output, dir } = await runWithout('reporters/evaluate-run.ts');
  expect(code).toBe(1);
  expect(output).toContain("exit 1: the report cannot be loaded (Cannot find package 'not-installed'");
  expect(output).toContain('Install the packages again (pnpm install), and run again');
  const rows = readFileSync(join(runFolderOf(dir), 'samples.jsonl'), 'utf8');
  expect(rows.trimEnd().split('\n')).toHaveLength(2);
});
