import { showValue } from '../text/show.ts';
import { suggest } from '../text/wording.ts';
import type { Gate, ScoreLimit } from '../types.ts';

/** How the thresholds of a gate are written, in the order of judging. */
const MEASURES = {
  min_accuracy: 'rate',
  min_pass_rate_per_case: 'rate',
  max_drop: 'rate',
  max_errored: 'rate',
  min_score: 'at_least',
  max_score_drop: 'at_most',
  min_judge_tpr: 'rate',
  min_judge_tnr: 'rate',
  max_cost_usd: 'amount',
  max_median_ms: 'amount',
  max_p95_ms: 'amount',
} as const;

export type Measure = keyof typeof MEASURES;

const NAMES = Object.keys(MEASURES) as Measure[];

/** One threshold of a gate, with the named score that it is for, if any. */
export type Limit = Readonly<{
  measure: Measure;
  threshold: number;
  score?: string;
}>;

/** The thresholds of a gate in the order of judging. */
export function listLimits(gate: Gate): readonly Limit[] {
  return NAMES.flatMap((measure): readonly Limit[] => {
    const written = gate[measure];
    if (written === undefined) return [];
    if (typeof written === 'number') return [{ measure, threshold: written }];
    return [written].flat().map(({ name, at_least, at_most }) => {
      return { measure, score: name, threshold: at_least ?? at_most ?? 0 };
    });
  });
}

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
  const thresholds = measures.map((measure) => [measure, readThreshold(fields, measure, place)]);
  return {
    suite: readName(fields, 'suite', place),
    dataset: readName(fields, 'dataset', place),
    group: readName(fields, 'group', place),
    ...Object.fromEntries(thresholds),
    ...(advisory === undefined ? {} : { advisory }),
  };
}

function readThreshold(fields: Fields, measure: Measure, place: string): Gate[Measure] {
  const form = MEASURES[measure];
  if (form === 'rate') return readRate(fields, measure, place);
  if (form === 'amount') return readAmount(fields, measure, place);
  const written = fields[measure];
  if (!Array.isArray(written)) return readScoreLimit(written, form, `${place}: "${measure}"`);
  if (written.length > 0)
    return written.map((one: unknown, index) =>
      readScoreLimit(one, form, `${place}: "${measure}"[${index}]`),
    );
  throw refuse(`${place}: "${measure}" is empty`, written, 'Name a score, or leave it out.');
}

function readScoreLimit(json: unknown, bound: 'at_least' | 'at_most', place: string): ScoreLimit {
  const fields = toFields(json, place, ['name', bound]);
  return { name: readName(fields, 'name', place), [bound]: readRate(fields, bound, place) };
}

function readName(fields: Fields, name: string, place: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw refuse(`${place}: "${name}" must be a string`, value, 'Write it as the summary shows it.');
}

function readRate(fields: Fields, name: string, place: string): number {
  const value = fields[name];
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw refuse(`${place}: "${name}" must be a number from 0 to 1`, value, 'Write 0.6 for 60 %.');
}

function readAmount(fields: Fields, name: string, place: string): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  const unit = name.endsWith('usd') ? '0.5 for 50 cents' : '2000 for two seconds';
  throw refuse(`${place}: "${name}" must be a number of at least 0`, value, `Write ${unit}.`);
}

function toFields(json: unknown, place: string, known: readonly string[]): Fields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw refuse(`${place} must be an object`, json, `Its keys are ${known.join(', ')}.`);
  }
  const unknownKey = Object.keys(json).find((key) => !known.includes(key));
  if (unknownKey === undefined) return { ...json };
  const remedy = suggest(unknownKey, known);
  throw refuse(`${place} has an unknown key`, unknownKey, remedy.trimStart());
}

function refuse(problem: string, value: unknown, remedy: string): Error {
  return new Error(`${problem}, got ${showValue(value)}. ${remedy}`);
}
