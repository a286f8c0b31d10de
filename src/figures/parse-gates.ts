import type { Gate, ScoreLimit } from '../words/figures.ts';
import { showValue } from '../words/show.ts';
import { suggest } from '../words/similar-names.ts';

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
  if (form === 'rate' || form === 'amount') return readNumber(fields, measure, place, form);
  const written = fields[measure];
  const readLimit = (json: unknown, at: string): ScoreLimit => {
    const own = toFields(json, at, ['name', form]);
    return { name: readName(own, 'name', at), [form]: readNumber(own, form, at, 'rate') };
  };
  const at = `${place}: "${measure}"`;
  if (!Array.isArray(written)) return readLimit(written, at);
  if (written.length > 0)
    return written.map((one: unknown, index) => readLimit(one, `${at}[${index}]`));
  throw refuse(`${at} is empty`, written, 'Name a score, or leave it out.');
}

function readName(fields: Fields, name: string, place: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw refuse(`${place}: "${name}" must be a string`, value, 'Write it as the summary shows it.');
}

function readNumber(fields: Fields, name: string, place: string, form: 'rate' | 'amount'): number {
  const value = fields[name];
  const most = form === 'rate' ? 1 : Number.MAX_VALUE;
  if (typeof value === 'number' && value >= 0 && value <= most) return value;
  const [range, example] =
    form === 'rate'
      ? ['from 0 to 1', '0.6 for 60 %']
      : ['of at least 0', name.endsWith('usd') ? '0.5 for 50 cents' : '2000 for two seconds'];
  throw refuse(`${place}: "${name}" must be a number ${range}`, value, `Write ${example}.`);
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
