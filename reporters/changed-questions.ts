import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import { readFolders } from '../src/store/find-run.ts';
import { readRun } from '../src/store/run-reader.ts';
import type { Audience } from '../src/words/audience.ts';
import { isCorrect, isCounted, type SampleResult } from '../src/words/row.ts';

/** A run with its answers to the questions that runs answered differently. */
type ChangedRun = Pick<RunOutcome, 'folder' | 'manifest' | 'results' | 'isHidden'>;

/** The questions that some answers of the newest runs got right and others wrong. */
export type ChangedQuestions = Readonly<{
  /** How many runs were compared. */
  compared: number;
  /** How many such questions there are, and to how many of them `runs` have the answers. */
  count: number;
  shown: number;
  /** The newest run first. */
  runs: readonly ChangedRun[];
  /** Why runs could not be read. */
  unreadable: readonly string[];
}>;

/** Reading all answers of many large runs takes seconds. */
const MOST_RUNS = 3;

/** More would make a page large. */
const MOST_QUESTIONS = 300;

/**
 * Finds them in the newest of these run folders, which begin with the newest. What the newest run
 * got wrong is shown first. Answers to different texts of a question are not compared.
 */
export function findChangedQuestions(
  folders: readonly string[],
  audience: Audience,
): ChangedQuestions {
  const { found, unreadable } = readFolders(folders.slice(0, MOST_RUNS), (folder) => [
    readRun(folder, audience),
  ]);
  const answers = found.flatMap((run) =>
    run.results.filter(isCounted).map((result): Answered => ({ folder: run.folder, result })),
  );
  const changed = [
    ...Map.groupBy(answers, ({ result: { suite, dataset, id, question_hash } }) =>
      JSON.stringify([suite, dataset, id, question_hash]),
    ).values(),
  ].filter(isChanged);
  const kept = changed
    .toSorted((a, b) => countNewestRight(a) - countNewestRight(b))
    .slice(0, MOST_QUESTIONS);
  const results = new Set(kept.flat().map(({ result }) => result));
  const runs = found.map(({ folder, manifest, isHidden, results: all }) => {
    return { folder, manifest, isHidden, results: all.filter((result) => results.has(result)) };
  });
  return {
    compared: found.length,
    count: changed.length,
    shown: kept.length,
    runs: kept.length === 0 ? [] : runs,
    unreadable,
  };
}

/** An answer of the run in this folder. */
type Answered = Readonly<{ folder: string; result: SampleResult }>;

function isChanged(answers: readonly Answered[]): boolean {
  const right = answers.filter(({ result }) => isCorrect(result)).length;
  const isMixed = right > 0 && right < answers.length;
  return isMixed && answers.some(({ folder }) => folder !== answers[0]?.folder);
}

function countNewestRight(answers: readonly Answered[]): number {
  return answers.filter(({ folder, result }) => folder === answers[0]?.folder && isCorrect(result))
    .length;
}
