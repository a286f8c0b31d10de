import { SHOW_HIDDEN } from '../../reporters/failure-lines.ts';
import { drawCase, listCases, toShownJson } from '../../reporters/shown-case.ts';
import { findTerminal } from '../../reporters/terminal.ts';
import { matchesGlob } from '../data/selection.ts';
import { findRun } from '../store/find-run.ts';
import { readRun, type StoredRun } from '../store/run-reader.ts';
import { type SampleResult, STATES } from '../words/row.ts';
import { escapeJson, plural, quote, showPath, wasCut } from '../words/show.ts';
import { suggest, suggestId } from '../words/similar-names.ts';
import { type Command, parseWords, RUN_HELP, readRunSettings, UsageError } from './command.ts';

/** `viva show RUN`: prints cases with their texts, for people and for coding agents. */
export const show: Command = {
  usage: `RUN [ID...] [--failed] [--suite NAME] [--full] [--json]${RUN_HELP}
  ID    an id, or a pattern with * and ?
  --failed  only what failed: wrong, unanswered, timed out, an error
  --suite   only this suite
  --full    cuts no text; without it, texts longer than 1,000 characters are cut in the middle
  --json    a JSON object, with a case on each line`,
  page: 'results.md#cases-on-the-command-line',
  run: async ({ args, env, print }) => {
    const { values, positionals } = parseWords(args, OPTIONS, true);
    const [text, ...ids] = positionals;
    if (text === undefined) throw new UsageError('Expected a run, as in "viva show latest".');
    const settings = readRunSettings(env);
    const run = readRun(findRun(text, settings.dir, 'RUN'), settings);
    const isWanted = toFilter(run, ids, values);
    const longest = values.full === true ? Number.POSITIVE_INFINITY : LONGEST;
    if (values.json === true) printJson(run, isWanted, longest, print);
    else printText(run, isWanted, longest, print);
    return 0;
  },
};

const OPTIONS = {
  failed: { type: 'boolean' },
  suite: { type: 'string' },
  full: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const LONGEST = 1000;

type Wanted = (row: SampleResult) => boolean;
type Print = (line: string) => void;

/** Throws for a suite or an id that the run does not have. */
function toFilter(
  { results, manifest }: StoredRun,
  ids: readonly string[],
  { suite, failed = false }: Readonly<{ suite?: string; failed?: boolean }>,
): Wanted {
  const names = manifest.suites.map((entry) => entry.suite);
  if (suite !== undefined && !names.includes(suite))
    throw new Error(`The run has no suite ${quote(suite)}.${suggest(suite, names)}`);
  const ofSuite = results.filter((row) => suite === undefined || row.suite === suite);
  const known = [...new Set(ofSuite.map(({ id }) => id))];
  const strange = ids.find((pattern) => !known.some((id) => matchesGlob(pattern, id)));
  if (strange !== undefined) {
    const all = plural(known.length, 'question');
    throw new Error(`The id ${quote(strange)} matches none of ${all}.${suggestId(strange, known)}`);
  }
  return (row) =>
    (suite === undefined || row.suite === suite) &&
    (!failed || STATES[row.state].fails) &&
    (ids.length === 0 || ids.some((pattern) => matchesGlob(pattern, row.id)));
}

/** A line for each case, so that a long run is never one text in memory. */
function printJson(run: StoredRun, isWanted: Wanted, longest: number, print: Print): void {
  const head = { version: 1, run: run.manifest.run, folder: run.folder };
  print(`${escapeJson(head).slice(0, -1)},"cases":[`);
  let before = '';
  for (const shown of listCases(run, isWanted)) {
    if (before !== '') print(`${before},`);
    before = escapeJson(toShownJson(shown, longest));
  }
  print(`${before}]}`);
}

function printText(run: StoredRun, isWanted: Wanted, longest: number, print: Print): void {
  const terminal = findTerminal();
  const count = run.results.filter(isWanted).length;
  let [isCut, isHidden] = [false, false];
  print(`${showPath(run.folder)}: ${count} of ${plural(run.results.length, 'case')}`);
  for (const shown of listCases(run, isWanted)) {
    const text = drawCase(shown, longest, terminal);
    isCut ||= wasCut(text);
    isHidden ||= shown.hidden === true;
    print(`\n${text.trimEnd()}`);
  }
  if (isCut) print('\nTexts were cut: --full shows them whole.');
  if (isHidden) print(`\n${SHOW_HIDDEN}`);
}
