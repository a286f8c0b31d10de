import { nameOfMeasure } from '../agents/misnamed.ts';
import { plainName } from '../words/plain-name.ts';
import { findTypo } from '../words/similar-names.ts';

/** What other tools, and datasets, call what a score gets, without case and punctuation. */
const OTHERS: readonly (readonly [write: string, others: string])[] = [
  [
    'target',
    'expected expectedanswer expectedoutput expectedresult reference referenceanswer referenceoutput gold goldanswer golden groundtruth',
  ],
  ['output', 'actual actualoutput completion prediction response result'],
  ['input', 'prompt query question'],
  ['messages', 'conversation history transcript'],
  ['trace', 'spans toolcalls trajectory'],
  ['sample.metadata', 'meta metadata'],
  ['sample.id', 'id'],
];

/**
 * What to write for a name that a score reads and does not get: what others call it, a misspelling, or
 * a field of the record. Null for any other name: a scorer that tests share with evals may have options.
 */
export function findMeant(name: string, names: readonly string[], record: unknown): string | null {
  const plain = plainName(name);
  const [write] = OTHERS.find(([, others]) => others.split(' ').includes(plain)) ?? [];
  const near = names.find((each) => plainName(each) === plain) ?? findTypo(name, names);
  const field = name !== 'length' && Object.hasOwn(Object(record), name) ? `record.${name}` : null;
  return write ?? nameOfMeasure(name) ?? near ?? field;
}
