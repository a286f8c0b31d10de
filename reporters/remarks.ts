import type { RunOutcome, SuiteTrials } from '../src/figures/evaluate-run.ts';
import {
  type AgentPlan,
  listVariants,
  type Manifest,
  type SuiteManifest,
} from '../src/store/manifest.ts';
import { toReportLink } from '../src/store/run-folder.ts';
import type { SuiteSummary } from '../src/words/figures.ts';
import type { NoteKind } from '../src/words/sample.ts';
import { lineIf, showPath } from '../src/words/show.ts';
import { countVariants, nameVariant, pickVariant, type Variant } from '../src/words/variant.ts';
import { listPairs, listPromptDiffs, toDiffLines, toWatchLines } from './comparison.ts';
import { describeGatesToWrite, listGates } from './gate-remarks.ts';
import {
  describeAskedJudges,
  describeAskedPairs,
  describeAskedUser,
  describePlan,
  describeUnseenEdits,
  type PlannedSuite,
} from './plan-remarks.ts';
import { describeNotJudged } from './preference.ts';
import {
  describeCuts,
  describeDisagreement,
  describeErrors,
  describeFailedUsers,
  describeNoTarget,
  describeNoVerdict,
  describeOpenScores,
  describeOwnJudges,
  describeRareLabels,
  describeRetries,
  describeRules,
  describeUserFaults,
  describeWaits,
  type VariantRows,
} from './result-remarks.ts';
import {
  describeBadRecords,
  describeChance,
  describeConfidence,
  describeConsistency,
  describeCopies,
  describeCostAtLeast,
  describeDelay,
  describeExcluded,
  describeIncomplete,
  describeKnownJudges,
  describeMean,
  describePartial,
  describePassRates,
  describeProbability,
  describeReadings,
  describeReplacedTools,
  describeRunErrors,
  describeScoreErrors,
  describeStops,
  describeTimes,
  describeUnits,
  describeUnstable,
} from './run-remarks.ts';
import { nameDataset } from './tables.ts';
import { type Level, type Line, toLines } from './terminal.ts';

/**
 * A sentence about a variant of a suite, about a whole suite (`agent` is null), or about the whole run
 * (`suite` is null).
 */
type Remark = Readonly<{
  suite: string | null;
  agent: string | null;
  prompt?: string;
  text: string;
  /** Where it is another than that of its kind. */
  level?: Level;
  isFigure?: true | undefined;
}>;

/** One kind of remark, and where it is shown. To add one: an entry in REMARKS. */
export type RemarkKind = Readonly<{
  name: string;
  /**
   * "printed": in the terminal, summary.md and report.html, as whatever makes a figure mean less than it
   * seems. "report": in the two files alone.
   */
  shown: 'printed' | 'report';
  level: Level;
  /** Present if the page shows it as a figure, and not as a line. */
  isFigure?: true;
}> &
  (
    | Readonly<{ of: (outcome: RunOutcome) => readonly Remark[] }>
    /** Printed before the first question, and by a dry run at its end. */
    | Readonly<{ planned: (suite: PlannedSuite) => readonly Remark[] }>
    /** Below the table of each suite. */
    | Readonly<{ below: (suite: SuiteSummary) => readonly string[] }>
  );

/**
 * All remarks on a run, in the order in which they are printed: the most important come last. What
 * each says is in the files *-remarks.ts, by what it is about.
 */
export const REMARKS: readonly RemarkKind[] = [
  { name: 'units', shown: 'printed', level: 'note', isFigure: true, below: describeUnits },
  { name: 'mean of groups', shown: 'printed', level: 'note', isFigure: true, below: describeMean },
  { name: 'times', shown: 'report', level: 'note', isFigure: true, below: describeTimes },
  { name: 'errors in scores', shown: 'printed', level: 'note', below: describeScoreErrors },
  { name: 'chance', shown: 'printed', level: 'note', isFigure: true, below: describeChance },
  {
    name: 'stated confidence',
    shown: 'report',
    level: 'note',
    isFigure: true,
    below: describeConfidence,
  },
  { name: 'stated probability', shown: 'report', level: 'note', below: describeProbability },
  { name: 'readings', shown: 'printed', level: 'note', isFigure: true, below: describeReadings },
  { name: 'judges', shown: 'printed', level: 'note', below: describeKnownJudges },

  // What will be asked.
  { name: 'asked judges', shown: 'printed', level: 'note', planned: ofSuite(describeAskedJudges) },
  { name: 'asked pairs', shown: 'printed', level: 'note', planned: ofSuite(describeAskedPairs) },
  { name: 'asked user', shown: 'printed', level: 'note', planned: ofSuite(describeAskedUser) },
  { name: 'plan', shown: 'printed', level: 'note', planned: ofPlans(describePlan) },
  { name: 'unseen edits', shown: 'printed', level: 'note', planned: ofPlans(describeUnseenEdits) },

  // How records were read, and what the agents are.
  noted('layout', 'printed'),
  noted('source', 'report'),
  noted('order', 'report'),
  noted('index base', 'report'),
  noted('accepts any', 'report'),
  noted('placeholder', 'report'),
  noted('no id', 'printed'),
  noted('no target', 'printed'),
  {
    name: 'hidden target',
    shown: 'printed',
    level: 'note',
    of: listHidden,
  },
  noted('misspelt target', 'printed'),
  noted('own', 'printed'),
  noted('submission', 'report'),
  noted('tools', 'report'),
  noted('recorded tools', 'printed'),
  noted('leak guard', 'report'),

  // What answers tell beside the figures.
  {
    name: 'pass@k',
    shown: 'report',
    level: 'note',
    isFigure: true,
    of: ofTrials(describePassRates),
  },
  {
    name: 'consistency',
    shown: 'report',
    level: 'note',
    isFigure: true,
    of: ofTrials(describeConsistency),
  },
  {
    name: 'unstable',
    shown: 'report',
    level: 'note',
    isFigure: true,
    of: ofTrials(describeUnstable),
  },
  { name: 'waits', shown: 'report', level: 'note', of: ofRows(describeWaits) },
  {
    name: 'judges disagree',
    shown: 'report',
    level: 'note',
    isFigure: true,
    of: ofRows(describeDisagreement),
  },
  { name: 'own judge', shown: 'report', level: 'note', of: ofRows(describeOwnJudges) },
  { name: 'faults of users', shown: 'report', level: 'note', of: ofRows(describeUserFaults) },
  noted('unknown fields', 'report'),
  {
    name: 'rare labels',
    shown: 'printed',
    level: 'note',
    of: (outcome) =>
      // There is no rate of what was asked because it had failed.
      outcome.end.narrowed_by.last_failed ? [] : ofRows(describeRareLabels)(outcome),
  },
  { name: 'rules', shown: 'report', level: 'note', of: ofRows(describeRules) },
  { name: 'cost at least', shown: 'printed', level: 'note', of: ofFigures(describeCostAtLeast) },
  {
    name: 'watch run',
    shown: 'printed',
    level: 'note',
    isFigure: true,
    of: ofRunLines(({ flips }) => flips.flatMap(toWatchLines)),
  },
  {
    name: 'edits of prompts',
    shown: 'printed',
    level: 'note',
    isFigure: true,
    of: ofRunLines(({ flips }) => listPromptDiffs(flips).flatMap(toDiffLines)),
  },

  // Why the figures mean less than they seem.
  noted('left out', 'printed', 'warning'),
  { name: 'bad records', shown: 'printed', level: 'warning', of: ofDatasets(describeBadRecords) },
  { name: 'left out ids', shown: 'printed', level: 'warning', of: ofDatasets(describeExcluded) },
  noted('unread', 'printed', 'warning'),
  noted('clusters', 'printed', 'warning'),
  noted('matched by all', 'printed', 'warning'),
  noted('unknown ids', 'printed', 'warning'),
  noted('no leak guard', 'printed', 'warning'),
  {
    name: 'replaced tools',
    shown: 'printed',
    level: 'warning',
    of: ofFigures(describeReplacedTools),
  },
  { name: 'copies', shown: 'printed', level: 'warning', of: ofFigures(describeCopies) },
  { name: 'own delay', shown: 'printed', level: 'warning', of: ofFigures(describeDelay) },
  { name: 'retries', shown: 'printed', level: 'warning', of: ofRows(describeRetries) },
  { name: 'cut short', shown: 'printed', level: 'warning', of: ofRows(describeCuts) },
  { name: 'failed users', shown: 'printed', level: 'warning', of: ofRows(describeFailedUsers) },
  { name: 'no verdict', shown: 'printed', level: 'warning', of: ofRows(describeNoVerdict) },
  { name: 'open scores', shown: 'printed', level: 'warning', of: ofRows(describeOpenScores) },
  { name: 'pairs not judged', shown: 'printed', level: 'warning', of: listNotJudged },
  { name: 'errors', shown: 'printed', level: 'warning', of: ofRows(describeErrors) },
  { name: 'PARTIAL', shown: 'printed', level: 'warning', of: ofRun(describePartial) },
  { name: 'NOT COMPLETE', shown: 'printed', level: 'warning', of: ofRun(describeIncomplete) },
  { name: 'STOPPED', shown: 'printed', level: 'warning', of: ofRun(describeStops) },
  { name: 'RUN ERROR', shown: 'printed', level: 'warning', of: ofRun(describeRunErrors) },

  { name: 'gate to write', shown: 'printed', level: 'note', of: ofRun(describeGatesToWrite) },
  {
    name: 'open gates',
    shown: 'printed',
    level: 'note',
    isFigure: true,
    of: ofRun(listGates('note')),
  },
  {
    name: 'gates that hold',
    shown: 'printed',
    level: 'good',
    isFigure: true,
    of: ofRun(listGates('good')),
  },
  {
    name: 'missed gates',
    shown: 'printed',
    level: 'bad',
    isFigure: true,
    of: ofRun(listGates('bad')),
  },
];

/** The lines that are printed below the tables: notes, warnings, gates. */
export function toRemarks(outcome: RunOutcome): readonly Line[] {
  return listLines(outcome, (kind) => isPrinted(kind, outcome));
}

/** The lines that summary.md and report.html have besides. */
export function toDetails(outcome: RunOutcome): readonly Line[] {
  return listLines(outcome, (kind) => !isPrinted(kind, outcome));
}

export function toEndLines({
  folder,
  exit,
  end,
}: Pick<RunOutcome, 'folder' | 'exit'> & {
  readonly end: Pick<RunOutcome['end'], 'watch'>;
}): readonly Line[] {
  const level = exit.code === null ? 'note' : exit.code === 0 ? 'good' : 'bad';
  return [
    ...toLines('note', [
      `Run folder: ${showPath(folder)}`,
      `Report: ${toReportLink(folder)}`,
      ...lineIf(end.watch === 1, 'In another terminal, viva view shows each watch run live.'),
    ]),
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
    const { level, isFigure } = kind;
    return kind.below(suite).map((text) => ({ text, level, isFigure }));
  });
}

/** A dry run prints all: it has no figures to read, and is made to see what would be asked. */
function isPrinted({ shown }: RemarkKind, { manifest }: RunOutcome): boolean {
  return shown === 'printed' || manifest.config['dryRun'] === true;
}

/** Neighbours in the table that have one level are in the order of suites. */
function listLines(outcome: RunOutcome, isShown: (kind: RemarkKind) => boolean): readonly Line[] {
  const subjects = listSubjects(outcome);
  const parts: { level: Level; remarks: Remark[] }[] = [];
  for (const kind of REMARKS.filter(isShown)) {
    const remarks = listRemarks(kind, outcome);
    const last = parts.at(-1);
    if (last?.level === kind.level) last.remarks.push(...remarks);
    else parts.push({ level: kind.level, remarks: [...remarks] });
  }
  return parts.flatMap(({ level, remarks }) => toSentences(remarks, subjects, level));
}

function listRemarks(kind: RemarkKind, outcome: RunOutcome): readonly Remark[] {
  const { isFigure } = kind;
  if ('of' in kind) return kind.of(outcome).map((remark) => ({ ...remark, isFigure }));
  const { config, suites } = outcome.manifest;
  return 'planned' in kind && config['dryRun'] === true ? suites.flatMap(kind.planned) : [];
}

/** The variants that remarks may be about, also where nothing was asked. */
function listSubjects({ summary, manifest }: RunOutcome): readonly Subject[] {
  if (summary.suites.length > 0) return summary.suites;
  return manifest.suites.flatMap((entry) =>
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
  level: Level,
): readonly Line[] {
  const suites = new Set([...subjects, ...remarks].map(({ suite }) => suite));
  const suiteLines = [...suites].flatMap((suite) => {
    if (suite === null) return [];
    const suiteRemarks = remarks.filter((remark) => remark.suite === suite);
    const variants = subjects.filter((subject) => subject.suite === suite);
    return toSuiteSentences(suite, suiteRemarks, variants).map((line) => ({ level, ...line }));
  });
  const runRemarks = remarks.filter(({ suite }) => suite === null);
  return [
    ...suiteLines,
    ...runRemarks.map(({ text, isFigure, ...own }) => ({
      text,
      level: own.level ?? level,
      isFigure,
    })),
  ];
}

/** Those about the suite come first, then those about all its variants, then those about one. */
function toSuiteSentences(
  suite: string,
  remarks: readonly Remark[],
  variants: readonly Variant[],
): readonly Pick<Line, 'text' | 'isFigure'>[] {
  const names = variants.map(nameVariant);
  const lines = [...Map.groupBy(remarks, ({ text }) => text)].map(([text, same]) => {
    const all = same.flatMap(({ agent, prompt }) =>
      agent === null ? [] : nameVariant({ agent, prompt }),
    );
    const named = [...new Set(all)];
    const isOfAll = named.length > 1 && named.length === names.length;
    const who = isOfAll ? `each of the ${countVariants(variants)}` : joinNames(named);
    // The only agent of a suite has no name of its own.
    const isPlain = who === `${suite} agent` && names.length === 1;
    const rank = named.length === 0 ? -2 : isOfAll ? -1 : names.indexOf(named[0] ?? '');
    const line = `${suite}${who === '' || isPlain ? '' : `, ${who}`}: ${text}`;
    return { rank, text: line, isFigure: same[0]?.isFigure };
  });
  return lines.sort((a, b) => a.rank - b.rank).map(({ text, isFigure }) => ({ text, isFigure }));
}

function joinNames(names: readonly string[]): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} each`;
}

type Subject = Variant & Readonly<{ suite: string }>;

function ofRun(sentencesOf: (outcome: RunOutcome) => readonly string[]) {
  return ofRunLines((outcome) => sentencesOf(outcome).map((text) => ({ text })));
}

function ofRunLines(linesOf: (outcome: RunOutcome) => readonly Pick<Remark, 'text' | 'level'>[]) {
  return (outcome: RunOutcome): readonly Remark[] =>
    linesOf(outcome).map((line) => ({ suite: null, agent: null, ...line }));
}

function ofDatasets(sentencesOf: (suite: SuiteManifest) => readonly string[]) {
  return ({ manifest }: RunOutcome): readonly Remark[] =>
    manifest.suites.flatMap(ofSuite(sentencesOf));
}

function ofSuite<Suite extends PlannedSuite>(sentencesOf: (suite: Suite) => readonly string[]) {
  return (suite: Suite): readonly Remark[] =>
    sentencesOf(suite).map((text) => ({ suite: suite.suite, agent: null, text }));
}

function ofPlans(sentencesOf: (plan: AgentPlan, suite: PlannedSuite) => readonly string[]) {
  return (suite: PlannedSuite): readonly Remark[] =>
    suite.plans.flatMap((plan) =>
      onVariant({ ...plan, suite: suite.suite }, sentencesOf(plan, suite)),
    );
}

function ofFigures(sentencesOf: (suite: SuiteSummary, manifest: Manifest) => readonly string[]) {
  return ({ summary, manifest }: RunOutcome): readonly Remark[] =>
    summary.suites.flatMap((suite) => onVariant(suite, sentencesOf(suite, manifest)));
}

function ofTrials(sentencesOf: (trials: SuiteTrials) => readonly string[]) {
  return ({ trials }: RunOutcome): readonly Remark[] =>
    trials.flatMap((each) => onVariant(each, sentencesOf(each)));
}

function ofRows(sentencesOf: (variant: VariantRows) => readonly string[]) {
  return ({ variants, isHidden }: RunOutcome): readonly Remark[] =>
    [...variants.values()].flatMap((rows) =>
      onVariant(rows[0], sentencesOf({ rows, isHidden: isHidden(rows[0].suite) })),
    );
}

function onVariant(
  { suite, ...variant }: Subject,
  sentences: readonly string[],
): readonly Remark[] {
  return sentences.map((text) => ({ suite, ...pickVariant(variant), text }));
}

/** The asked questions of a suite that are not graded; those of the plan before any is asked. */
function listHidden(outcome: RunOutcome): readonly Remark[] {
  if (outcome.manifest.config['dryRun'] === true)
    return listRemarks(noted('hidden target', 'printed'), outcome);
  const bySuite = Map.groupBy(outcome.results, ({ suite }) => suite);
  return [...bySuite].flatMap(([suite, rows]) =>
    describeNoTarget(rows).map((text) => ({ suite, agent: null, text })),
  );
}

/** The pairs of answers of each suite that judges did not decide between. */
function listNotJudged({ summary, pairs }: RunOutcome): readonly Remark[] {
  const suites = new Map(summary.suites.map((each) => [nameDataset(each), each]));
  return [...suites.values()].flatMap(({ suite, dataset }) =>
    listPairs(pairs, { suite, dataset })
      .pairs.flatMap(describeNotJudged)
      .map((text) => ({ suite, agent: null, text })),
  );
}

/** The notes of a kind that loaders and agents left in the manifest. */
function noted(kind: NoteKind, shown: RemarkKind['shown'], level: Level = 'note'): RemarkKind {
  const of = ({ manifest }: RunOutcome) =>
    manifest.suites.flatMap(({ suite, notes, agent_notes }) => {
      const suiteNotes = notes.map((note) => ({ ...note, agent: null }));
      return [...suiteNotes, ...agent_notes]
        .filter((note) => note.kind === kind)
        .map(({ agent, text }) => ({ suite, agent, text }));
    });
  return { name: kind, shown, level, of };
}
