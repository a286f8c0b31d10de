import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listIds } from '../src/compare/differences.ts';
import { findShown, type Regraded, regradeSuite } from '../src/compare/regrade.ts';
import { readRegular } from '../src/records/files.ts';
import { isFields } from '../src/records/record.ts';
import { hashDataset, hashQuestion, shortHash } from '../src/run/prompt.ts';
import { hasRun } from '../src/states.ts';
import { GRADER_VERSION, listSides, type SuiteManifest } from '../src/store/manifest.ts';
import { type LoggedQuestion, readQuestions, toPromptFile } from '../src/store/run-folder.ts';
import { HIDDEN } from '../src/text/secrets.ts';
import { nameSide, partOf, plural, when } from '../src/text/wording.ts';
import type { SampleResult } from '../src/types.ts';
import type { RunOutcome } from './evaluate-run.ts';
import { listExports } from './exports.ts';
import { readSummary, type SummaryFile } from './summary-file.ts';

/** What does not agree within a run folder, and what could not be checked: a sentence each. No text of a record is in them. */
export type Verification = { readonly problems: readonly string[]; readonly notes: readonly string[] };

/**
 * Grades the outputs of a run again, and checks figures, hashes and exported files against its rows. `stored`: the rows
 * that could not be graded again.
 */
export function verifyRun(outcome: RunOutcome): Verification & { readonly stored: readonly SampleResult[] } {
  const { folder, manifest, results } = outcome;
  const suites = manifest.suites.map((entry) => {
    const rows = results.filter(({ suite }) => suite === entry.suite);
    const questions = readQuestions(folder, entry.suite);
    const grades = checkGrades(entry, rows, questions);
    const checks = [grades, checkQuestions(entry, rows, questions), checkPrompts(entry, folder)];
    return { ...joinAll(checks.map((check) => prefix(entry.suite, check))), stored: grades.stored };
  });
  const joined = joinAll([...suites, checkFigures(outcome), checkExports(outcome)]);
  return { ...joined, stored: suites.flatMap(({ stored }) => stored) };
}

function joinAll(parts: readonly Verification[]): Verification {
  return { problems: parts.flatMap(({ problems }) => problems), notes: parts.flatMap(({ notes }) => notes) };
}

function prefix(suite: string, { problems, notes }: Verification): Verification {
  const name = (text: string) => `${suite}: ${text}`;
  return { problems: problems.map(name), notes: notes.map(name) };
}

type Questions = ReadonlyMap<string, LoggedQuestion>;

function checkGrades(entry: SuiteManifest, rows: readonly SampleResult[], questions: Questions) {
  const graded = regradeSuite(entry, rows, questions);
  if (graded === null) {
    const stored = rows.filter(({ output, target }) => output !== null && target !== null);
    const note = 'its verdicts are taken as stored, because its score is code of the eval file';
    return { problems: [], notes: [note], stored };
  }
  const differing = graded.filter(
    ({ row, now }) => now !== null && (row.state !== now.state || row.answer !== now.answer),
  );
  const lost = graded.filter(({ now }) => now === null);
  const differ = partOf(differing.length, graded.length, 'verdict', 'differs', 'differ');
  const described = listIds(differing.map(describeChange), 400);
  const unknown = `${partOf(lost.length, graded.length, 'verdict', 'is', 'are')} taken as stored: the run does not say in which order options were shown`;
  return {
    problems: when(
      differing.length > 0,
      `${differ} from those of today's grader (version ${GRADER_VERSION}): ${described}`,
    ),
    notes: [`${plural(graded.length - lost.length, 'output')} graded again`, ...when(lost.length > 0, unknown)],
    stored: lost.map(({ row }) => row),
  };
}

function describeChange({ row, now }: Regraded): string {
  return `${row.id} (${row.state === now?.state ? 'another answer' : `${row.state}, now ${now?.state}`})`;
}

function checkQuestions(entry: SuiteManifest, rows: readonly SampleResult[], questions: Questions): Verification {
  const asked = rows.filter(hasRun);
  const skip = (text: string) => ({
    problems: [],
    notes: [`the hashes of questions are not checked, because ${text}`],
  });
  if (questions.size === 0) return skip('the run did not keep them');
  // A hash is that of the order in which options were shown.
  const shuffled = asked.filter(({ presented }) => presented !== undefined);
  if (shuffled.some((row) => findShown(row, questions.get(row.id) ?? {}) === null)) {
    return skip('the run does not say in which order options were shown');
  }
  if (shuffled.length > 0) {
    return { problems: [], notes: ['the hash of the dataset is not checked, because options were shuffled'] };
  }
  const changed = asked.filter((row) => hashQuestion(toAsked(row, questions.get(row.id))) !== row.question_hash);
  const ids = [...new Set(changed.map(({ id }) => id))];
  const differ = plural(ids.length, 'question does', 'questions do');
  const problem = `${differ} not have the hash of the rows: ${listIds(ids, 240)}`;
  return joinAll([{ problems: when(ids.length > 0, problem), notes: [] }, checkDataset(entry, asked, questions)]);
}

/** The hash of a dataset covers all of it: it can be checked where all of it was asked. */
function checkDataset(entry: SuiteManifest, rows: readonly SampleResult[], questions: Questions): Verification {
  const { ids, dataset_hash, group_sizes = [] } = entry;
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const samples = ids.flatMap((id) => {
    const row = rowOf.get(id);
    return row === undefined ? [] : [{ id, target: row.target, ...toAsked(row, questions.get(id)) }];
  });
  const whole = group_sizes.reduce((sum, [, size]) => sum + size, 0);
  if (samples.length !== whole)
    return { problems: [], notes: ['the hash of the dataset is not checked: not all of it was asked'] };
  return {
    problems: when(hashDataset(samples) !== dataset_hash, `the dataset does not have the hash ${dataset_hash}`),
    notes: [],
  };
}

function toAsked({ multiple }: SampleResult, { input = '', choices, attachments = [] }: Partial<LoggedQuestion> = {}) {
  return {
    input,
    ...(choices === undefined ? {} : { choices: Object.fromEntries(choices) }),
    ...(multiple == null ? {} : { multiple }),
    attachments: attachments.map((name) => ({ name })),
  };
}

function checkPrompts(entry: SuiteManifest, folder: string): Verification {
  const hashes = [...new Set(listSides(entry).map(({ prompt_hash }) => prompt_hash))];
  const checks = hashes.map((hash): Verification => {
    const file = join(folder, toPromptFile(entry.suite, hash));
    if (!existsSync(file)) return { problems: [], notes: [`the run did not keep the text of prompt ${hash}`] };
    const text = readRegular(file).toString('utf8');
    if (text.includes(HIDDEN)) return { problems: [], notes: [`prompt ${hash} is not checked: a key in it is hidden`] };
    return {
      problems: when(shortHash(text) !== hash, `the prompt that the run kept does not have the hash ${hash}`),
      notes: [],
    };
  });
  return joinAll(checks);
}

/** The figures of summary.json, computed again from the rows. */
function checkFigures({ folder, summary, trials, audit, comparison }: RunOutcome): Verification {
  const stored = readSummary(folder);
  if (stored === null) return { problems: ['the run did not end: it has no summary.json'], notes: [] };
  // Rules that ask a server are not applied again.
  const rules = new Set(audit.rules.map(({ name }) => name));
  const now = nameFigures({ ...summary, trials, audit: audit.suites }, rules);
  const problems = findDifferences(nameFigures(stored, rules), now, []);
  const more = problems.length - MOST_SHOWN;
  return {
    problems: [
      ...problems.slice(0, MOST_SHOWN),
      ...when(more > 0, `summary.json: ${plural(more, 'more figure differs', 'more figures differ')}`),
    ],
    notes: when(comparison !== null, 'the comparison with the baseline is not checked; viva compare makes it again'),
  };
}

const MOST_SHOWN = 5;

/** Figures as objects, so that each is found by its names and not by its place. */
function nameFigures(
  { suites, trials = [], audit = [] }: Pick<SummaryFile, 'suites' | 'trials' | 'audit'>,
  rules: ReadonlySet<string>,
) {
  return {
    suites: nameSides(suites.map((suite) => ({ ...suite, groups: nameAll(suite.groups, ({ group }) => group) }))),
    trials: nameSides(trials),
    audit: nameSides(
      audit.map((suite) => {
        const own = suite.rules.filter(({ rule }) => rules.has(rule));
        return { ...suite, rules: nameAll(own, ({ rule, on }) => `${rule} on ${on}`) };
      }),
    ),
  };
}

function nameSides<T extends Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'prompt'>>(figures: readonly T[]) {
  return nameAll(figures, ({ suite, dataset, ...side }) => `${suite}, ${dataset}, ${nameSide(side)}`);
}

function nameAll<T>(entries: readonly T[], toName: (entry: T) => string): Readonly<Record<string, T>> {
  return Object.fromEntries(entries.map((entry) => [toName(entry), entry]));
}

/** What is stored otherwise than it is now. Older versions stored fewer figures. */
function findDifferences(stored: unknown, now: unknown, path: readonly string[]): readonly string[] {
  if (isFields(stored) && isFields(now)) {
    return Object.keys(stored).flatMap((key) => findDifferences(stored[key], now[key], [...path, key]));
  }
  const [before, after] = [JSON.stringify(stored), JSON.stringify(now)];
  return when(before !== after, `summary.json: ${path.join(', ')}: ${before} in the file, ${after} by the rows`);
}

/** The submission and the table of answers, which are made of the rows. */
function checkExports(outcome: RunOutcome): Verification {
  const problems = listExports(outcome).flatMap(({ name, lines }) => {
    const file = join(outcome.folder, name);
    if (!existsSync(file)) return [`${name} is missing`];
    const isSame = readRegular(file).equals(Buffer.from([...lines].join('')));
    return when(!isSame, `${name} does not have the answers of the rows`);
  });
  return { problems, notes: [] };
}
