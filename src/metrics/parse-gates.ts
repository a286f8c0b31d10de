import { nearest } from '../text/nearest.ts';
import type { Gate } from './gates.ts';
import { MEASURES, type Measure } from './verdict.ts';

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
