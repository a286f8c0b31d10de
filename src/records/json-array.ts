import { countBreaks, type JsonElement, splitElements } from './json-elements.ts';
import { RecordError } from './record-error.ts';
import type { RawRecord, RecordFile, RecordFormat } from './record-file.ts';
import { noteRepeatedKeys } from './repeated-keys.ts';

/** A file that is one JSON array of records, or one object, which is a single record. */
export const jsonArray: RecordFormat = {
  name: 'JSON',
  reads: (_file, text) => isArrayText(text) || isOneObject(text),
  parse: (file, text): RecordFile => ({
    file,
    records: isArrayText(text) ? parseJsonArray(file, text) : [{ line: firstLine(text), value: JSON.parse(text) }],
    notes: noteRepeatedKeys(text),
  }),
};

/** Parses a JSON array into its elements, each with the line on which it starts. */
export function parseJsonArray(file: string, text: string): RawRecord[] {
  const elements = splitElements(text);
  const values = parseWhole(file, text, elements);
  return values.map((value, index) => ({ line: elements[index]?.line ?? 1, value }));
}

function parseWhole(file: string, text: string, elements: readonly JsonElement[]): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch (cause) {
    throw new RecordError({
      file,
      line: findBrokenElement(elements)?.line,
      problem: 'the JSON array is broken here',
      detail: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Correct the JSON, or write one JSON object per line.',
      cause,
    });
  }
}

function findBrokenElement(elements: readonly JsonElement[]): JsonElement | undefined {
  return elements.find(({ source }) => !isJson(source)) ?? elements.at(-1);
}

function isArrayText(text: string): boolean {
  return text.trimStart().startsWith('[');
}

/** An object over several lines: JSON lines would stop at its first line. */
function isOneObject(text: string): boolean {
  const trimmed = text.trim();
  const firstBreak = trimmed.indexOf('\n');
  return firstBreak !== -1 && trimmed.startsWith('{') && !isJson(trimmed.slice(0, firstBreak)) && isJson(trimmed);
}

function firstLine(text: string): number {
  return countBreaks(text.slice(0, text.length - text.trimStart().length)) + 1;
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}
