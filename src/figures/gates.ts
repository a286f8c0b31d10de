import { DOCS } from '../package.ts';
import { isFields } from '../words/fields.ts';
import type { GateScope, GroupSummary, SuiteSummary, Summary } from '../words/figures.ts';
import type { SampleResult } from '../words/row.ts';
import { lineIf, quote, showValue } from '../words/show.ts';
import { didYouMean, suggest } from '../words/similar-names.ts';
import { pickVariant } from '../words/variant.ts';
import { groupBy, readSlice, toSuiteKey } from './groups.ts';
import {
  type Compared,
  checkLimit,
  type Gate,
  type LimitCheck,
  MEASURES,
  type Measure,
  type Measured,
  type MeasureEntry,
  toUnknown,
} from './measures.ts';
import type { Comparison } from './paired-comparison.ts';

const NAMES = Object.keys(MEASURES) as Measure[];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the content of a gates file; `file` names it in errors. Throws an Error with place, value
 * and remedy for anything but {version: 1, gates: [...]}: a misspelt gate would check nothing.
 */
export function parseGates(json: unknown, file: string): readonly Gate[] {
  const { version, gates } = toFields(json, file, ['version', 'gates']);
  if (version !== 1) throw refuse(`${file}: "version" must be 1`, version, 'Write "version": 1.');
  if (!Array.isArray(gates))
    throw refuse(`${file}: "gates" must be a list`, gates, 'Write "gates": [] for none.');
  return gates.map((gate: unknown, index) => parseGate(gate, `${file}: gates[${index}]`));
}

function parseGate(json: unknown, place: string): Gate {
  const fields = toFields(json, place, ['suite', 'dataset', 'group', ...NAMES, 'advisory']);
  const measures = NAMES.filter((measure) => fields[measure] !== undefined);
  if (measures.length === 0) {
    throw refuse(`${place} has no threshold`, json, `Add ${NAMES.join(', ')} or several of them.`);
  }
  const { advisory } = fields;
  if (advisory !== undefined && typeof advisory !== 'boolean') {
    throw refuse(
      `${place}: "advisory" must be true or false`,
      advisory,
      'Leave it out for a gate that decides.',
    );
  }
  const limits = measures.map((measure) => [measure, parseLimit(fields, measure, place)]);
  return {
    suite: readName(fields, 'suite', place),
    ...(fields['dataset'] !== undefined && { dataset: readName(fields, 'dataset', place) }),
    group: readName(fields, 'group', place),
    ...Object.fromEntries(limits),
    ...(advisory === undefined ? {} : { advisory }),
  };
}

function parseLimit(fields: Fields, measure: Measure, place: string): unknown {
  const { key, allows }: MeasureEntry = MEASURES[measure];
  if (key === undefined) return readNumber(fields, measure, place, allows);
  const parseScoreLimit = (json: unknown, at: string) => {
    const limit = toFields(json, at, ['name', key]);
    return { name: readName(limit, 'name', at), [key]: readNumber(limit, key, at, allows) };
  };
  const written = fields[measure];
  const at = `${place}: "${measure}"`;
  if (!Array.isArray(written)) return parseScoreLimit(written, at);
  if (written.length > 0)
    return written.map((one: unknown, index) => parseScoreLimit(one, `${at}[${index}]`));
  throw refuse(`${at} is empty`, written, 'Name a score, or leave it out.');
}

function readName(fields: Fields, name: string, place: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw refuse(`${place}: "${name}" must be a string`, value, 'Write it as the summary shows it.');
}

function readNumber(
  fields: Fields,
  name: string,
  place: string,
  { most, range, example }: MeasureEntry['allows'],
): number {
  const value = fields[name];
  if (typeof value === 'number' && value >= 0 && value <= most) return value;
  throw refuse(`${place}: "${name}" must be a number ${range}`, value, `Write ${example}.`);
}

function toFields(json: unknown, place: string, keys: readonly string[]): Fields {
  if (!isFields(json))
    throw refuse(`${place} must be an object`, json, `Its keys are ${keys.join(', ')}.`);
  const unknownKey = Object.keys(json).find((key) => !keys.includes(key));
  if (unknownKey === undefined) return { ...json };
  throw refuse(`${place} has an unknown key`, unknownKey, suggest(unknownKey, keys).trimStart());
}

function refuse(problem: string, value: unknown, remedy: string): Error {
  const page = `See ${DOCS}/ci.md#fields-of-a-gate.`;
  return new Error(`${problem}, got ${showValue(value)}. ${remedy} ${page}`);
}

/** How one limit of a gate is met by one agent. */
export type GateResult = LimitCheck &
  Readonly<{ gate: JudgedGate; agent: string; prompt?: string }> &
  Limit;

/** A gate with the dataset that it was on. */
type JudgedGate = Gate & { readonly dataset: string };

/** One limit of a gate. */
type Limit = Readonly<{
  measure: Measure;
  /** The named score that it is on, if it is on one. */
  score?: string;
  threshold: number;
}>;

/**
 * Checks every limit of every gate for every agent of its suite and dataset. `comparisonOf` returns
 * the comparison with the baseline, or null; `results` are those of the summary.
 */
export function checkGates(
  gates: readonly Gate[],
  summary: Summary,
  comparisonOf: (suite: SuiteSummary) => Comparison | null,
  results: readonly SampleResult[],
): readonly GateResult[] {
  const checked = gates.flatMap((gate) =>
    summary.suites
      .filter(({ suite, dataset }) => suite === gate.suite && dataset === (gate.dataset ?? dataset))
      .flatMap((suite) =>
        checkGate({ ...gate, dataset: suite.dataset }, suite, comparisonOf(suite), results),
      ),
  );
  if (summary.complete) return checked;
  // An incomplete run can miss a gate, but never meet it.
  return checked.map((result) =>
    result.holds === true
      ? { ...result, holds: null, explanation: 'the run is incomplete' }
      : result,
  );
}

function checkGate(
  gate: JudgedGate,
  suite: SuiteSummary,
  comparison: Comparison | null,
  results: readonly SampleResult[],
): readonly GateResult[] {
  const found = findGroup(suite, gate.group);
  const measured =
    typeof found === 'string' ? found : toMeasured(found, suite, comparison, results);
  return listLimits(gate).map((limit) => ({
    gate,
    ...pickVariant(suite),
    ...limit,
    ...(typeof measured === 'string'
      ? toUnknown(measured)
      : checkLimit(limit.measure, limit.threshold, limit.score, measured)),
  }));
}

/** A limit on a named score, whichever of its keys it has. */
type ScoreLimit = Readonly<{ name: string; at_least?: number; at_most?: number }>;

function listLimits(gate: Gate): readonly Limit[] {
  return NAMES.flatMap((measure): readonly Limit[] => {
    const written: number | ScoreLimit | readonly ScoreLimit[] | undefined = gate[measure];
    if (written === undefined) return [];
    if (typeof written === 'number') return [{ measure, threshold: written }];
    return [written].flat().map(({ name, at_least, at_most }) => {
      return { measure, score: name, threshold: at_least ?? at_most ?? 0 };
    });
  });
}

/** A group that a gate names. */
type NamedGroup = Readonly<{
  /** The further grouping that it is of; null for the first one, and for "all". */
  slice: string | null;
  group: string;
  /** By the name that is in the gate. */
  figures: GroupSummary;
}>;

/**
 * Finds the group of a gate by its name, in further groupings too. A name that two groupings have
 * needs that of its grouping before it ("topic rent"). Gives a clause that says why there is none.
 */
function findGroup(
  { groups, grouped_by: first = 'group', slices = [] }: SuiteSummary,
  name: string,
): NamedGroup | string {
  const all = [
    ...groups.map((figures) => ({ by: first, slice: null, figures })),
    ...slices.flatMap(({ by, groups: ofSlice }) =>
      ofSlice.map((figures) => ({ by, slice: by, figures })),
    ),
  ];
  const isWhole = name === 'all' && groups.some(({ group }) => group === 'all');
  const named = all.filter(({ by, slice, figures: { group } }) =>
    isWhole ? slice === null && group === 'all' : group === name || `${by} ${group}` === name,
  );
  const [found, ...others] = named;
  if (found === undefined) {
    const groupNames = all.map(({ figures }) => figures.group);
    return `there is no group ${name} in this run.${didYouMean(name, groupNames)}`;
  }
  const { slice, figures } = found;
  if (others.length === 0)
    return { slice, group: figures.group, figures: { ...figures, group: name } };
  const groupings = named.map(({ by }) => by);
  const remedy = groupings.map((by) => `"${by} ${name}"`).join(' or ');
  return `${name} is a group by ${groupings.join(' and by ')}: write ${remedy}`;
}

function toMeasured(
  { slice, group, figures }: NamedGroup,
  suite: SuiteSummary,
  comparison: Comparison | null,
  results: readonly SampleResult[],
): Measured {
  const key = toSuiteKey(suite);
  const isInGroup = (row: SampleResult) =>
    slice === null ? group === 'all' || row.group === group : readSlice(row, slice) === group;
  return {
    suite,
    figures,
    results: results.filter((row) => isInGroup(row) && toSuiteKey(row) === key),
    compared: comparison && findCompared(comparison, slice, group),
  };
}

/** The comparison of a group with the baseline; undefined if they share no question of it. */
function findCompared(
  comparison: Comparison,
  slice: string | null,
  group: string,
): Compared | undefined {
  if (slice === null && group === 'all') return comparison;
  const { slices = [] } = comparison;
  const groups = slice === null ? comparison.groups : slices.find(({ by }) => by === slice)?.groups;
  return groups?.find((other) => other.group === group);
}

/** Which deciding gates name a suite that does not exist: a misspelt name would check nothing. */
export function describeUnknownSuites(
  gates: readonly GateScope[],
  suites: readonly string[],
): readonly string[] {
  const strays = gates.flatMap(({ suite, advisory }) =>
    advisory === true || suites.includes(suite) ? [] : suite,
  );
  const list = (names: readonly string[]) =>
    [...new Set(names)].map((name) => quote(name)).join(', ');
  const problem = `a gate names a suite that does not exist: ${list(strays)}; the suites are ${list(suites)}`;
  return lineIf(strays.length > 0, problem);
}

/** One minimal accuracy (0..1) as a gate on group "all" of every suite and dataset of a run. */
export function minAccuracyGates(min_accuracy: number, summary: Summary): readonly Gate[] {
  const suites = groupBy(summary.suites, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...suites.values()].map(([{ suite, dataset }]) => {
    return { suite, dataset, group: 'all', min_accuracy };
  });
}
