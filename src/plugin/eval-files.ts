import { readRegular } from '../data/files/read-file.ts';
import { showPath, tryOrUndefined } from '../words/show.ts';

/**
 * Eval files with `defineEval` without `await`, before any of them runs. It sees only calls at the
 * beginning of a line.
 */
export function findUnawaited(files: readonly string[]): readonly string[] {
  const unawaited = files.filter((file) => /^defineEval\(/m.test(readCode(file)));
  return unawaited.map(
    (file) =>
      `${showPath(file)}: defineEval is not awaited, so Vitest finds no test. Write "await defineEval(...)".`,
  );
}

/** The names of the suites in an eval file, as far as they are written out. */
export function readSuiteNames(file: string): readonly string[] {
  return [...new Set([...readCode(file).matchAll(NAMED)].map(([, , name = '']) => name))];
}

/** How many suites an eval file has; null where its text does not tell. */
export function countSuites(file: string): number | null {
  const calls = [...readCode(file).matchAll(/\bdefineEval\s*(?:<[^(]*>)?\(/g)];
  return calls.length > 0 && calls.length === readSuiteNames(file).length ? calls.length : null;
}

const NAMED = /^await defineEval(?:<[^(]*>)?\(\s*(['"`])([\w.-]+)\1/gm;

/** The text without block comments, which may contain an old definition. */
function readCode(file: string): string {
  const text = tryOrUndefined(() => readRegular(file).toString('utf8')) ?? '';
  return text.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '');
}
