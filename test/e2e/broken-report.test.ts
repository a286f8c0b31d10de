import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyProject } from './copy-project.ts';
import { readSummary, runFolderOf, runVitest } from './run-vitest.ts';

/** Runs two samples in a copy of the project in which a module imports a package that is not installed. */
async function runWithout(module: string) {
  const cwd = copyProject();
  const file = join(cwd, module);
  writeFileSync(file, `import 'not-installed';\n${readFileSync(file, 'utf8')}`);
  return runVitest(['run', 'evals/gaia'], { EVAL_LIMIT: '2' }, { cwd });
}

describe('a package that is missing where the report is made', () => {
  test('for report.html: the figures are shown, and all other files are there', async () => {
    const { code, output, dir } = await runWithout('reporters/html/render-page.ts');
    expect(code).toBe(1);
    expect(output).toContain('gaia · sample · replay');
    expect(output).toContain("exit 1: the run folder cannot be completed (Cannot find package 'not-installed'");
    const folder = runFolderOf(dir);
    expect(readSummary(folder)).toMatchObject({ complete: true });
    expect(existsSync(join(folder, 'report.html'))).toBe(false);
  });

  test('for all of it: every sample runs and keeps its row, and the end says what is wrong', async () => {
    const { code, output, dir } = await runWithout('reporters/conclude-run.ts');
    expect(code).toBe(1);
    expect(output).toContain("exit 1: the report cannot be loaded (Cannot find package 'not-installed'");
    expect(output).toContain('Install the packages again (pnpm install), and run again');
    const rows = readFileSync(join(runFolderOf(dir), 'samples.jsonl'), 'utf8');
    expect(rows.trimEnd().split('\n')).toHaveLength(2);
  });
});
