import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toPredictions } from '../../src/agents/predictions.ts';
import { RecordError } from '../../src/data/files/record.ts';
import { loadGaia, loadMcq, loadRecords } from '../../src/data/load.ts';
import { messageOf } from '../../src/words/thrown.ts';
import { makeFolder } from '../make-folder.ts';

const S = 'SECRET';

type Load = (path: string) => unknown;

const records: Load = (path) => loadRecords({ path });
const mcq: Load = (path) => loadMcq({ path });
const gaia: Load = (path) => loadGaia({ path });
const predictions: Load = (file) =>
  toPredictions([{ file, records: [{ line: 1, value: JSON.parse(S_LINES.get(file) ?? '') }] }]);

/** The record of each file of predictions. */
const S_LINES = new Map<string, string>();

const OPTIONS = { question: S, options: [`${S}1`, `${S}2`], answer: 'A' };

/** Bad records with a secret in each text, and in each key that may be one. */
const BAD: Readonly<Record<string, readonly [Load, unknown]>> = {
  'turns with an empty one': [records, { turns: [S, ''], target: S }],
  'turns beside an input': [records, { input: S, turns: [S], target: S }],
  'a target that is no text': [gaia, { question: S, answer: { [S]: S } }],
  'two answers': [gaia, { question: S, answer: S, final_answer: `${S}2` }],
  'a level that is none': [gaia, { question: S, answer: S, level: S }],
  'a file outside': [records, { input: S, target: S, attachments: [`../${S}`] }],
  'an absolute file': [records, { input: S, target: S, attachments: [`/${S}`] }],
  'a file that is missing': [records, { input: S, target: S, attachments: [S] }],
  'an answer that is no option': [mcq, { ...OPTIONS, answer: `${S}3` }],
  'one option': [mcq, { ...OPTIONS, options: [S] }],
  'an empty option by its label': [mcq, { ...OPTIONS, options: { A: S, [S]: '', B: S } }],
  'a label that is a text': [mcq, { ...OPTIONS, options: { [`${S} of it`]: 'a', B: S } }],
  'a label twice': [
    mcq,
    {
      ...OPTIONS,
      options: [
        { label: S, text: 'a' },
        { label: S, text: 'b' },
      ],
    },
  ],
  'an option that is no text': [mcq, { ...OPTIONS, options: [S, { [S]: [S] }] }],
  'a label that is another text': [
    mcq,
    { question: S, options: ['O', 'A', `${S}`, 'AB'], answer: 'A' },
  ],
  'a picture that is missing': [mcq, { ...OPTIONS, question: `${S} <image 3>` }],
  'two outputs': [predictions, { task_id: 'a', output: S, response: `${S}2` }],
  'an output and an answer': [predictions, { task_id: 'a', output: S, model_answer: S }],
  'a trial that is none': [predictions, { task_id: 'a', output: S, trial: S }],
  'no object': [predictions, [S]],
};

test.each(Object.entries(BAD))(
  'no text of a record is in the hidden message: %s',
  async (_, [load, record]) => {
    const path = join(makeFolder({ 'q.jsonl': `${JSON.stringify(record)}\n` }), 'q.jsonl');
    S_LINES.set(path, JSON.stringify(record));
    const error = await Promise.resolve()
      .then(() => load(path))
      .then(() => null)
      .catch((thrown: unknown) => thrown);
    expect(error, messageOf(error)).toBeInstanceOf(RecordError);
    expect(error instanceof RecordError && error.idsOnly).not.toContain(S);
  },
);
