import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanEnvironment } from '../e2e/run-vitest.ts';
import { runShell } from '../run-shell.ts';
import { type Block, findBlocks } from './markdown.ts';

/** Something that the page says and that is not so. */
type Untruth = { readonly block: string; readonly problem: string; readonly printed: string };

/** What npx and pnpm do with an installed program, for up to 0.8 s of processor time less. */
const PROGRAMS = `npx() { "$@"; }
pnpm() { case $1 in exec) shift; "$@" ;; vitest) "$@" ;; *) command pnpm "$@" ;; esac; }`;

/**
 * Does in a folder what a page says, block after block; what came otherwise than the page says.
 * Some blocks are for a clone of viva alone, which skips all others.
 */
export async function followPage(
  page: string,
  project: string,
  { isClone = false } = {},
): Promise<{ readonly runs: number; readonly untrue: readonly Untruth[] }> {
  const clean = cleanEnvironment();
  const programs = ['', '../'].map((up) => join(project, `${up}node_modules/.bin`));
  const PATH = [dirname(process.execPath), ...programs, clean['PATH']].join(':');
  // The copy shares the installed packages: pnpm must not install into them.
  const env = { ...clean, PATH, pnpm_config_verify_deps_before_run: 'false' };
  const untrue: Untruth[] = [];
  let printed = '';
  let runs = 0;
  for (const block of findBlocks(page)) {
    if (block.marks.has('clone') !== isClone) continue;
    writeFile(block, project);
    if (block.marks.has('run')) {
      const { code, output } = await runShell(`${PROGRAMS}\n${block.text}`, { cwd: project, env });
      [printed, runs] = [output, runs + 1];
      const expected = Number(block.marks.get('exit') ?? '0');
      if (code !== expected)
        untrue.push({
          block: block.text,
          problem: `exit code ${code}, not ${expected}`,
          printed: tail(printed),
        });
    }
    const problem = block.marks.has('shown') ? findMissing(block.text, printed) : null;
    if (problem !== null) untrue.push({ block: block.text, problem, printed: tail(printed) });
  }
  return { runs, untrue };
}

function writeFile({ marks, text }: Block, project: string): void {
  const name = marks.get('file');
  if (name === undefined) return;
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

function tail(printed: string): string {
  return printed.slice(-3000);
}

/**
 * The first part (between lines of "...") whose lines are not together in what was printed.
 */
function findMissing(shown: string, printed: string): string | null {
  const lines = `\n${splitLines(printed).join('\n')}\n`;
  const parts = shown.split(/^ *\.\.\.$/m).map((part) => splitLines(part).join('\n'));
  const missing = parts.find((part) => part !== '' && !lines.includes(`\n${part}\n`));
  return missing === undefined ? null : `not printed: ${missing}`;
}

/**
 * Lines that are not empty; what differs from run to run (times, dates, the widths of columns) is
 * made the same.
 */
function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\d{8}T\d{6}Z/g, 'DATE').replaceAll(/> ?(?=\d)/g, ''))
    .map((line) =>
      line
        .replaceAll(/\d[\d,.]* (ms|s|min)\b/g, 'TIME')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
}
