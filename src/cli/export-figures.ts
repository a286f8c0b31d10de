import {
  hideInventedModels,
  isQuotable,
  type Quotable,
  type Quotation,
  whyMisleading,
} from '../../reporters/quotation.ts';
import { nameSubject } from '../../reporters/quotation-lines.ts';
import { quoteRun } from '../../reporters/quote-run.ts';
import type { Publisher } from '../addons/export/index.ts';
import type { RunOutcome } from '../figures/evaluate-run.ts';
import { oneOf } from '../words/setting-values.ts';
import { escapeLine, lineIf, listUp, quote, showPath } from '../words/show.ts';
import { type CommandContext, readRunSettings, UsageError } from './command.ts';
import { checkQuotes } from './verify.ts';

/**
 * Writes the figures of a run that may be published, and says why others may not. Resolves to the
 * exit code: 1 if one may not.
 */
export function writeFigures(
  folder: string,
  place: Place,
  { env, print }: CommandContext,
  write: (figures: readonly Quotable[], run: RunOutcome) => readonly string[],
): number {
  const printSafely = (line: string) => print(escapeLine(line, 2000));
  const { lacking, outcome } = checkQuotes(folder, readRunSettings(env));
  if (lacking.length > 0) {
    printSafely(`Nothing of ${showPath(folder)} may be published: ${lacking.join('; ')}.`);
    return 1;
  }
  const judged = quoteRun(outcome).map((quotation) => judge(quotation, place));
  const figures = judged.flatMap(({ figure }) => figure ?? []);
  for (const file of write(figures, outcome)) printSafely(`wrote ${showPath(file)}`);
  for (const { problem } of judged) if (problem !== undefined) printSafely(problem);
  return figures.length === judged.length ? 0 : 1;
}

type Place = Parameters<typeof whyMisleading>[1];

/** A figure that may be published, or why not. */
function judge(
  quotation: Quotation,
  place: Place,
): Readonly<{ figure?: Quotable; problem?: string }> {
  const subject = nameSubject(quotation);
  if (!isQuotable(quotation))
    return { problem: `${subject}: nothing to publish, because ${quotation.why}` };
  const figure = hideInventedModels(quotation);
  const lacking = whyMisleading(figure, place);
  if (lacking.length === 0) return { figure };
  const isResult = whyMisleading(figure, 'result').length === 0;
  const elsewhere = lineIf(isResult, '--every-eval-ever writes it, and says what is missing.');
  return {
    problem: [
      `${subject}: not published, since it lacks ${lacking.join('; ')}.`,
      ...elsewhere,
    ].join(' '),
  };
}

/** Who publishes. Throws a UsageError. */
export function readPublisher(organization = '', word = 'third_party'): Publisher {
  const name = organization.trim();
  if (name === '' || name.length > 200)
    throw new UsageError('Say who publishes, with --organization NAME of 1 to 200 characters.');
  const relationship = RELATIONSHIP.parse(word);
  if (relationship === undefined)
    throw new UsageError(`--relationship must be ${RELATIONSHIP.allowed}, got ${quote(word)}.`);
  return { organization: name, relationship };
}

const RELATIONSHIP = oneOf('third_party', 'first_party', 'collaborative', 'other');

/** The id of a task in the eval.yaml of a dataset. Throws a UsageError. */
export function readTask(task = ''): string {
  if (/^[\w./:-]{1,100}$/.test(task)) return task;
  const got = task === '' ? '' : ` It cannot be ${quote(task)}.`;
  throw new UsageError(
    `Name the task of the leaderboard with --task ID: the eval.yaml of the dataset on the Hub lists them.${got}`,
  );
}

/** A task belongs to one dataset. */
export function assertOneDataset(figures: readonly Pick<Quotable, 'dataset'>[]): void {
  const names = [...new Set(figures.map(({ dataset }) => dataset.hub?.name ?? dataset.name))];
  if (names.length > 1)
    throw new UsageError(
      `--task is of one dataset, and the run has ${listUp(names)}. Export a run of one suite.`,
    );
}
