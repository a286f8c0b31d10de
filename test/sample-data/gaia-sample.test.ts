import { describe, expect, it } from 'vitest';
import { countBy } from './count-by.ts';
import { MADE_ATTACHMENTS } from './make/attachments.ts';
import { listAttachments, readAttachment, readGaiaSample, readJsonLines } from './read-gaia-sample.ts';

const records = readGaiaSample();
const predictions = readJsonLines('evals/gaia/sample/predictions.jsonl');

describe('records of the GAIA sample', () => {
  it('has 30 records with ids of their own', () => {
    expect(new Set(records.map(({ id }) => id)).size).toBe(30);
  });

  it('has 12 records of level 1, 11 of level 2 and 7 of level 3', () => {
    const levels = countBy(records.map(({ level }) => String(level)));
    expect(Object.fromEntries(levels)).toEqual({ 1: 12, 2: 11, 3: 7 });
  });

  it('has 14 truths that are numbers, 12 texts and 4 lists', () => {
    const kinds = countBy(records.map(({ truth }) => toKind(truth)));
    expect(Object.fromEntries(kinds)).toEqual({ number: 14, text: 12, list: 4 });
  });

  it.each(records)('$id has the fields of GAIA', ({ id, question, level, fields, annotator }) => {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(question).not.toBe('');
    expect(level).toBeTypeOf('number');
    expect(fields).toEqual(['task_id', 'Question', 'Level', 'Final answer', 'file_name', 'Annotator Metadata']);
    const annotations = ['Steps', 'Number of steps', 'How long did this take?', 'Tools', 'Number of tools'];
    expect(Object.keys(annotator)).toEqual(annotations);
  });

  it.each(records)('$id states its counts of steps and tools as text', ({ annotator }) => {
    const count = (key: string) => String(String(annotator[key]).match(/^\d+\. /gm)?.length ?? 0);
    expect(annotator['Number of steps']).toBe(count('Steps'));
    expect(annotator['Number of tools']).toBe(count('Tools'));
  });
});

describe('attachments of the GAIA sample', () => {
  const attached = records.filter(({ fileName }) => fileName !== '');

  it('is as many files as records that name one', () => {
    expect(attached.map(({ fileName }) => fileName).sort()).toEqual([...listAttachments()].sort());
  });

  it.each(attached)('$fileName is named after its record and is not empty', ({ id, fileName, question }) => {
    expect(fileName.startsWith(`${id}.`)).toBe(true);
    expect(readAttachment(fileName).length).toBeGreaterThan(0);
    expect(question).toMatch(/\battached\b/);
  });
});

describe('kinds of attachments of the GAIA sample', () => {
  const extensions = listAttachments().map((name) => name.slice(name.lastIndexOf('.') + 1));

  it('is at least 14 files, of every kind that GAIA has and that can be made here', () => {
    expect(extensions.length).toBeGreaterThanOrEqual(14);
    const kinds = 'xlsx png pdf zip jpg pdb jsonld docx txt pptx csv py xml json wav'.split(' ');
    expect(new Set(extensions)).toEqual(new Set(kinds));
  });

  it.each(Object.entries(MADE_ATTACHMENTS))('%s is what test/sample-data/make makes', (name, make) => {
    expect(readAttachment(name).equals(make())).toBe(true);
  });
});

describe('predictions of the GAIA sample', () => {
  const predicted = predictions.map((prediction) => String(prediction['task_id']));

  it('leaves out exactly one record', () => {
    expect(records.filter(({ id }) => !predicted.includes(id))).toHaveLength(1);
  });

  it('predicts each record once and no other', () => {
    expect(new Set(predicted).size).toBe(predicted.length);
    expect(predicted.filter((id) => !records.some((record) => record.id === id))).toEqual([]);
  });

  it.each(predictions)('$task_id has an output, a latency and a model that calls itself made up', (prediction) => {
    expect(prediction['output']).toBeTypeOf('string');
    expect(prediction['latency_ms']).toBeGreaterThanOrEqual(5_000);
    expect(prediction['latency_ms']).toBeLessThanOrEqual(170_000);
    expect(prediction['model']).toBe('made-up-model');
  });

  it('takes longer from level to level', () => {
    const medians = [1, 2, 3].map((level) => {
      const ids = records.filter((record) => record.level === level).map(({ id }) => id);
      const own = predictions.filter((prediction) => ids.includes(String(prediction['task_id'])));
      const latencies = own.map((prediction) => Number(prediction['latency_ms'])).sort((a, b) => a - b);
      return latencies[Math.floor(latencies.length / 2)] ?? Number.NaN;
    });
    expect(medians.toSorted((a, b) => a - b)).toEqual(medians);
    expect(medians[2]).toBeGreaterThan(2 * (medians[0] ?? Number.NaN));
  });
});

/** The official rule's path for a truth; its decimal grammar is needed here only for plain digits. */
function toKind(truth: string): string {
  if (/^[+-]?\d+(\.\d+)?$/.test(truth)) return 'number';
  return /[,;]/.test(truth) ? 'list' : 'text';
}
