import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import { listVariants, type SuiteManifest } from '../src/store/manifest.ts';
import { toReportLink } from '../src/store/run-folder.ts';
import type { SuiteSummary } from '../src/words/figures.ts';
import { showPath } from '../src/words/show.ts';
import { countVariants, nameVariant, pickVariant, type Variant } from '../src/words/variant.ts';
import { type Line, toLines } from './lines.ts';
import type { PlannedSuite } from './plan-remarks.ts';
import { REMARKS, type Remark, type RemarkKind } from './remarks.ts';

/** The lines that are printed below the tables: notes, warnings, gates. */
export function toRemarks(outcome: RunOutcome): readonly Line[] {
  return listLines(outcome, (kind) => isPrinted(kind, outcome));
}

/** The lines that summary.md and report.html have besides. */
export function toDetails(outcome: RunOutcome): readonly Line[] {
  return listLines(outcome, (kind) => !isPrinted(kind, outcome));
}

/** The last lines of a run. */
export function toEndLines({ folder, exit }: Pick<RunOutcome, 'folder' | 'exit'>): readonly Line[] {
  const level = exit.code === null ? 'note' : exit.code === 0 ? 'good' : 'bad';
  return [
    ...toLines('note', [`Run folder: ${showPath(folder)}`, `Report: ${toReportLink(folder)}`]),
    ...toLines(level, [exit.reason]),
  ];
}

/** What is printed before the first question of a suite: what will be asked, and its cost. */
export function toPlanLines(suite: PlannedSuite): readonly string[] {
  const remarks = REMARKS.flatMap((kind) => ('planned' in kind ? kind.planned(suite) : []));
  const subjects = suite.plans.map((plan) => ({ ...plan, suite: suite.suite }));
  return toSentences(remarks, subjects, 'note').map(({ text }) => text);
}

/** The lines below a suite's table: those that are printed, or all. */
export function toSuiteLines(suite: SuiteSummary, shown: 'printed' | 'all'): readonly Line[] {
  return REMARKS.flatMap((kind) => {
    if (!('below' in kind) || (shown === 'printed' && kind.shown === 'report')) return [];
    return kind.below(suite).map((text) => ({ text, level: kind.level }));
  });
}

/** A dry run prints all: it has no figures to read, and is made to see what would be asked. */
function isPrinted({ shown }: RemarkKind, { manifest }: RunOutcome): boolean {
  return shown === 'printed' || manifest.config['dryRun'] === true;
}

/** Neighbours in the table that have one level are in the order of suites. */
function listLines(outcome: RunOutcome, isShown: (kind: RemarkKind) => boolean): readonly Line[] {
  const subjects = listSubjects(outcome);
  const parts: { level: Line['level']; remarks: Remark[] }[] = [];
  for (const kind of REMARKS.filter(isShown)) {
    const remarks = listRemarks(kind, outcome);
    const last = parts.at(-1);
    if (last?.level === kind.level) last.remarks.push(...remarks);
    else parts.push({ level: kind.level, remarks: [...remarks] });
  }
  return parts.flatMap(({ level, remarks }) => toSentences(remarks, subjects, level));
}

function listRemarks(kind: RemarkKind, outcome: RunOutcome): readonly Remark[] {
  if ('of' in kind) return kind.of(outcome);
  const { config, suites } = outcome.manifest;
  return 'planned' in kind && config['dryRun'] === true ? suites.flatMap(kind.planned) : [];
}

type Subject = Variant & Pick<SuiteSummary, 'suite'>;

/** The variants that remarks may be about, also where nothing was asked. */
function listSubjects({ summary, manifest }: RunOutcome): readonly Subject[] {
  if (summary.suites.length > 0) return summary.suites;
  return manifest.suites.flatMap((entry: SuiteManifest) =>
    listVariants(entry).map((variant) => ({ suite: entry.suite, ...pickVariant(variant) })),
  );
}

/**
 * Remarks as texts that begin with their subject, suite by suite in the order of `subjects`. If several
 * variants have the same remark, it appears once. Those on the whole run come last.
 */
function toSentences(
  remarks: readonly Remark[],
  subjects: readonly Subject[],
  level: Line['level'],
): readonly Line[] {
  const suites = new Set([...subjects, ...remarks].map(({ suite }) => suite));
  const ofSuites = [...suites].flatMap((suite) => {
    if (suite === null) return [];
    const own = remarks.filter((remark) => remark.suite === suite);
    const variants = subjects.filter((subject) => subject.suite === suite);
    return toLines(level, toSuiteSentences(suite, own, variants));
  });
  const ofRun = remarks.filter(({ suite }) => suite === null);
  return [
    ...ofSuites,
    ...ofRun.map((remark) => ({ text: remark.text, level: remark.level ?? level })),
  ];
}

/** Those about the suite come first, then those about all its variants, then those about one. */
function toSuiteSentences(
  suite: string,
  remarks: readonly Remark[],
  variants: readonly Variant[],
): readonly string[] {
  const names = variants.map(nameVariant);
  const lines = [...Map.groupBy(remarks, ({ text }) => text)].map(([text, same]) => {
    const of = same.flatMap(({ agent, prompt }) =>
      agent === null ? [] : nameVariant({ agent, prompt }),
    );
    const named = [...new Set(of)];
    const isOfAll = named.length > 1 && named.length === names.length;
    const who = isOfAll ? `each of the ${countVariants(variants)}` : joinNames(named);
    // The only agent of a suite has no name of its own.
    const isPlain = who === `${suite} agent` && names.length === 1;
    const rank = named.length === 0 ? -2 : isOfAll ? -1 : names.indexOf(named[0] ?? '');
    return { rank, line: `${suite}${who === '' || isPlain ? '' : `, ${who}`}: ${text}` };
  });
  return lines.sort((a, b) => a.rank - b.rank).map(({ line }) => line);
}

function joinNames(names: readonly string[]): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} each`;
}
