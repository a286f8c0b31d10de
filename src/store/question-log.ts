import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../records/files.ts';
import { escapeJson } from '../text/show.ts';
import type { Sample } from '../types.ts';
import { writeWhole } from './line-file.ts';
import { slug } from './run-folder.ts';

/** A question as reports show it. Rows of samples.jsonl name it by its id. */
export type LoggedQuestion = {
  readonly id: string;
  readonly input: string;
  /** Labels as the dataset has them, with the options' texts, in the order in which they were presented. */
  readonly choices?: readonly (readonly [label: string, text: string])[];
  /** Names of its files. */
  readonly attachments?: readonly string[];
  /** Answers that the record accepts beside its truth; only the opt-in rule "any-of" reads them. */
  readonly accepted?: readonly string[];
};

/** Writes what a suite asks beside its rows, one file for each suite; a later turn of watch mode replaces it. */
export function writeQuestions(runFolder: string, suite: string, samples: readonly Sample[]): void {
  const questions = samples.map(toLogged);
  writeWhole(toQuestionFile(runFolder, suite), escapeJson({ version: 1, suite, questions }));
}

/** What a suite of a run asked, by id; empty for runs of before there was such a file, and for one that is torn or no file. */
export function readQuestions(runFolder: string, suite: string): ReadonlyMap<string, LoggedQuestion> {
  const file = toQuestionFile(runFolder, suite);
  if (!existsSync(file)) return new Map();
  try {
    const log: unknown = JSON.parse(readRegular(file).toString('utf8'));
    return new Map(isLog(log) ? log.questions.map((question) => [question.id, question]) : []);
  } catch {
    return new Map();
  }
}

/** Where the questions of a suite are kept. */
export function toQuestionFile(runFolder: string, suite: string): string {
  return join(runFolder, `questions-${slug(suite)}.json`);
}

function toLogged({ id, input, choices, attachments, metadata, presentation }: Sample): LoggedQuestion {
  const accepted = findAccepted(metadata);
  const own = new Map(Object.entries(presentation?.ownLabels ?? {}));
  const options = Object.entries(choices ?? {}).map(([label, text]) => [own.get(label) ?? label, text] as const);
  return {
    id,
    input,
    ...(options.length === 0 ? {} : { choices: options }),
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(({ name }) => name) }),
    ...(accepted.length === 0 ? {} : { accepted }),
  };
}

const ACCEPTED = ['accepted_answers', 'acceptable_answers', 'answer_aliases', 'aliases'];

/** A list of texts under one of the usual names. */
function findAccepted(metadata: Sample['metadata']): readonly string[] {
  const lists = ACCEPTED.filter((name) => Object.hasOwn(metadata, name)).map((name) => metadata[name]);
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []));
}

function isLog(value: unknown): value is { readonly questions: readonly LoggedQuestion[] } {
  return typeof value === 'object' && value !== null && 'questions' in value && Array.isArray(value.questions);
}
