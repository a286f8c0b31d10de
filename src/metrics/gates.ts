import { nearest } from '../text/wording.ts';
import type { SuiteSummary, Summary } from '../types.ts';
import type { Comparison } from './compare.ts';
import { judgeMeasure, MEASURES, type Measure, type Verdict } from './exit-code.ts';
import { groupBy, toTupleKey } from './groups.ts';

/** Thresholds on one group of one suite and dataset, as in evals/gates.json; rates are 0..1. */
export type Gate = {
  readonly suite: string;
  readonly dataset: string;
  readonly group: string;
  /** Accuracy must be at least this. */
  readonly min_accuracy?: number;
  /** The lower end of the interval of the difference to the baseline must not lie further below 0. */
  readonly max_drop?: number;
  /** Share of results that are errored. Time-outs are not among them: they are the agent's, and accuracy counts them. */
  readonly max_errored?: number;
  /** Shown, but without a say in the exit code. */
  readonly advisory?: boolean;
};

/** What one threshold of a gate says of one agent. */
export type GateResult = Verdict & {
  readonly gate: Gate;
  readonly agent: string;
  readonly measure: Measure;
  readonly threshold: number;
};

/**
 * Judges every threshold of every gate against every agent of its suite and dataset; other suites are not its business.
 * `comparisonOf` gives the comparison with the baseline, null when there is none.
 */
export function judgeGates(
  gates: readonly Gate[],
  summary: Summary,
  comparisonOf: (suite: SuiteSummary) => Comparison | null,
): readonly GateResult[] {
  return gates
    .flatMap((gate) =>
      summary.suites
        .filter(({ suite, dataset }) => suite === gate.suite && dataset === gate.dataset)
        .flatMap((suite) => judgeGate(gate, suite, comparisonOf(suite))),
    )
    .map((result) => (summary.complete ? result : holdBack(result)));
}

/** A part of a run may miss a gate, but only a whole one meets it. */
function holdBack(result: GateResult): GateResult {
  return result.holds === true ? { ...result, holds: null, explanation: 'the run is incomplete' } : result;
}

/** One minimal accuracy (0..1) as a gate on group "all" of every suite and dataset of a run. */
export function minAccuracyGates(minimum: number, summary: Summary): readonly Gate[] {
  const suites = groupBy(summary.suites, ({ suite, dataset }) => toTupleKey(suite, dataset));
  return [...suites.values()].map(([{ suite, dataset }]) => ({ suite, dataset, group: 'all', min_accuracy: minimum }));
}

function judgeGate(gate: Gate, suite: SuiteSummary, comparison: Comparison | null): readonly GateResult[] {
  return MEASURES.flatMap((measure) => {
    const threshold = gate[measure];
    if (threshold === undefined) return [];
    const verdict = judgeMeasure(measure, threshold, gate.group, suite, comparison);
    return [{ gate, agent: suite.agent, measure, threshold, ...verdict }];
  });
}

type Fields = ReadonlyMap<string, unknown>;

const FILE_KEYS = ['version', 'gates'];
const GATE_KEYS = ['suite', 'dataset', 'group', ...MEASURES, 'advisory'];

/**
 * Reads the content of a gates file; `file` names it in errors. Throws an Error with place, value and remedy for
 * anything but {version: 1, gates: [...]}: a misspelled gate would otherwise guard nothing.
 */
export function parseGates(json: unknown, file: string): readonly Gate[] {
  const fields = toFields(json, file, FILE_KEYS);
  const [version, gates] = [fields.get('version'), fields.get('gates')];
  if (version !== 1) throw refuse(`${file}: "version" must be 1`, version, 'Write "version": 1.');
  if (!Array.isArray(gates)) throw refuse(`${file}: "gates" must be a list`, gates, 'Write "gates": [] for none.');
  return gates.map((gate: unknown, index) => parseGate(gate, `${file}: gates[${index}]`));
}

function parseGate(json: unknown, place: string): Gate {
  const fields = toFields(json, place, GATE_KEYS);
  if (!MEASURES.some((measure) => fields.has(measure))) {
    throw refuse(`${place} has no threshold`, json, `Give it ${MEASURES.join(', ')} or several of them.`);
  }
  const min_accuracy = parseRate(fields, 'min_accuracy', place);
  const max_drop = parseRate(fields, 'max_drop', place);
  const max_errored = parseRate(fields, 'max_errored', place);
  return {
    suite: parseName(fields, 'suite', place),
    dataset: parseName(fields, 'dataset', place),
    group: parseName(fields, 'group', place),
    ...(min_accuracy !== undefined && { min_accuracy }),
    ...(max_drop !== undefined && { max_drop }),
    ...(max_errored !== undefined && { max_errored }),
    ...(fields.has('advisory') && { advisory: parseAdvisory(fields, place) }),
  };
}

function toFields(json: unknown, place: string, known: readonly string[]): Fields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw refuse(`${place} must be an object`, json, `Its keys are ${known.join(', ')}.`);
  }
  const fields = new Map<string, unknown>(Object.entries(json));
  const unknownKey = [...fields.keys()].find((key) => !known.includes(key));
  if (unknownKey === undefined) return fields;
  const remedy = `Did you mean "${nearest(unknownKey, known)}"? Known: ${known.join(', ')}.`;
  throw refuse(`${place} has an unknown key`, unknownKey, remedy);
}

function parseName(fields: Fields, name: 'suite' | 'dataset' | 'group', place: string): string {
  const value = fields.get(name);
  if (typeof value === 'string' && value !== '') return value;
  throw refuse(`${place}: "${name}" must be a text`, value, `Write the ${name} as the summary shows it.`);
}

function parseRate(fields: Fields, measure: Measure, place: string): number | undefined {
  if (!fields.has(measure)) return undefined;
  const value = fields.get(measure);
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw refuse(`${place}: "${measure}" must be a number from 0 to 1`, value, 'Write 0.6 for 60 %.');
}

function parseAdvisory(fields: Fields, place: string): boolean {
  const value = fields.get('advisory');
  if (typeof value === 'boolean') return value;
  throw refuse(`${place}: "advisory" must be true or false`, value, 'Leave it out for a gate that decides.');
}

function refuse(problem: string, value: unknown, remedy: string): Error {
  const text = JSON.stringify(value);
  const received = text === undefined ? 'nothing' : `${text.slice(0, 80)} (${nameType(value)})`;
  return new Error(`${problem}, got ${received}. ${remedy}`);
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
