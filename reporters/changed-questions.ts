import { isCorrect, isCounted } from '../src/states.ts';
import { readFolders } from '../src/store/find-run.ts';
import { readEnd } from '../src/store/run-end.ts';
import { readRows } from '../src/store/sample-log.ts';
import { readRunFiles } from '../src/store/stored-run.ts';
import { resultKey } from '../src/store/trial-meta.ts';
import type { PrivacySettings } from '../src/text/hide-records.ts';
import { escapeJson } from '../src/text/show.ts';
import type { SampleResult } from '../src/types.ts';
import type { RunOutcome } from './evaluate-run.ts';

/** A run with its answers to the questions that runs answered differently. */
type ChangedRun = Pick<RunOutcome, 'folder' | 'manifest' | 'results'>;

/** The questions that some answers of several runs got right and others wrong. */
export type ChangedQuestions = {
  /** How many there are, and to how many of them `runs` have the answers. */
  readonly count: number;
  readonly shown: number;
  /** The newest run first. */
  readonly runs: readonly ChangedRun[];
  /** Why runs could not be read. */
  readonly unreadable: readonly string[];
};

/** More answers would make a page large. */
const MOST_ANSWERS = 2000;

/**
 * Finds them in run folders, the newest first. What the newest run got wrong is shown first. An
 * answer to an earlier text of a question is no answer to it. `settings` say whether records must
 * be hidden now.
 */
export function findChangedQuestions(
  folders: readonly string[],
  settings: PrivacySettings,
): ChangedQuestions {
  const tallies = new Map<string, Tally>();
  // Read twice: the answers of all runs would not fit into memory.
  const { found: readable, unreadable } = readFolders(folders, (folder) => {
    const { carried } = readEnd(folder);
    // What a watch run carried on stands in an earlier run.
    for (const row of readRows(folder)) {
      if (!carried.includes(row.suite)) count(tallies, folder, row);
    }
    return [folder];
  });
  const changed = [...tallies].filter(
    ([, { folders, right, answers }]) => folders > 1 && right > 0 && right < answers,
  );
  const shown = new Map<string, Tally>();
  let room = MOST_ANSWERS;
  for (const [key, tally] of changed.toSorted(([, a], [, b]) => a.newestRight - b.newestRight)) {
    if (tally.answers > room) continue;
    room -= tally.answers;
    shown.set(key, tally);
  }
  const runs = (shown.size === 0 ? [] : readable).map((folder) =>
    readShown(folder, shown, settings),
  );
  return { count: changed.length, shown: shown.size, runs, unreadable };
}

/** The answers to a question that count. */
type Tally = {
  readonly id: string;
  /** Of its newest text. */
  readonly hash: string;
  /** How many runs have answers, and the one that was read last. */
  folders: number;
  last: string;
  answers: number;
  right: number;
  /** How many of those of the newest run are right. */
  newestRight: number;
};

function count(tallies: Map<string, Tally>, folder: string, result: SampleResult): void {
  if (!isCounted(result)) return;
  const key = toKey(result);
  const { id, question_hash: hash } = result;
  const empty = { id, hash, folders: 0, last: '', answers: 0, right: 0, newestRight: 0 };
  const tally = tallies.get(key) ?? empty;
  if (tally.hash !== hash) return;
  tallies.set(key, tally);
  if (tally.last !== folder) tally.folders += 1;
  tally.last = folder;
  const right = Number(isCorrect(result));
  tally.answers += 1;
  tally.right += right;
  if (tally.folders === 1) tally.newestRight += right;
}

/** The answers of a run to the questions that are shown. */
function readShown(
  folder: string,
  shown: ReadonlyMap<string, Tally>,
  settings: PrivacySettings,
): ChangedRun {
  const ids = new Set([...shown.values()].map(({ id }) => escapeJson(id)));
  const hasShown = (line: string) => [...line.matchAll(ID)].some(([, id = '']) => ids.has(id));
  const log = { results: [...readRows(folder, hasShown)], unreadable: 0 };
  const { manifest, rows, end } = readRunFiles(folder, settings, log);
  const own = rows.filter(
    (row) => shown.get(toKey(row))?.hash === row.question_hash && !end.carried.includes(row.suite),
  );
  // Of a trial that was answered twice, the last row counts.
  const results = [...new Map(own.map((row) => [resultKey(row), row])).values()];
  const ownIds = new Set(own.map(({ id }) => id));
  // Plans of many runs would fill the memory.
  const suites = manifest.suites.map((entry) => ({
    ...entry,
    questions: entry.questions.filter(({ id }) => ownIds.has(id)),
  }));
  return { folder, manifest: { ...manifest, suites }, results };
}

const ID = /"id":("(?:[^"\\]|\\.)*")/g;

function toKey({ suite, dataset, id }: SampleResult): string {
  return JSON.stringify([suite, dataset, id]);
}
