import { readRegular } from '../records/files.ts';
import { quote, showPath } from '../text/show.ts';
import { tryOrUndefined } from '../text/thrown.ts';

/**
 * Problems in the text of eval files, before any of them runs: the same suite name in two files,
 * and `defineEval` without `await`. It sees only calls at the beginning of a line. The other calls
 * are checked when they run.
 */
export function findWrittenProblems(files: readonly string[]): readonly string[] {
  const written = files.map((file) => ({ file, text: tryOrUndefined(() => readCode(file)) ?? '' }));
  const unawaited = written.flatMap(({ file, text }) =>
    UNAWAITED.test(text)
      ? [
          `${showPath(file)}: defineEval is not awaited, so Vitest finds no test. Write "await defineEval(...)".`,
        ]
      : [],
  );
  const named = written.flatMap(({ file, text }) =>
    listNames(text).map((name) => ({ file, name })),
  );
  const twins = [...Map.groupBy(named, ({ name }) => name)].filter(([, found]) => found.length > 1);
  return [...unawaited, ...twins.map(([name, found]) => describeTwins(name, found))];
}

/** The names of the suites in an eval file, as far as they are written out. */
export function readSuiteNames(file: string): readonly string[] {
  return listNames(tryOrUndefined(() => readCode(file)) ?? '');
}

function listNames(text: string): readonly string[] {
  return [...new Set([...text.matchAll(NAMED)].map(([, , name = '']) => name))];
}

const UNAWAITED = /^defineEval\(/m;
const NAMED = /^await defineEval\(\s*(['"`])([\w.-]+)\1/gm;

/** The text without block comments, which may contain an old definition. */
function readCode(file: string): string {
  return readRegular(file)
    .toString('utf8')
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '');
}

function describeTwins(name: string, found: readonly { readonly file: string }[]): string {
  const files = found.map(({ file }) => showPath(file)).join(' and ');
  return `${files}: both have a suite ${quote(name)}. Give each its own name.`;
}
