import { isDeepStrictEqual } from 'node:util';
import type { SampleResult } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { escapeJson } from '../words/show.ts';

/**
 * Where the answer of a row stands in its output: true for the whole output, or the first character
 * and the one behind the last of a text.
 */
type AnswerPart = true | readonly [start: number, end: number];

/** In characters. A shorter answer is in a row beside its output, for those who read rows by eye. */
const MOST_TWICE = 100_000;

/**
 * The line of a row, with its line break. A long answer that is a part of the output is stored once:
 * `answer` is null, and `answer_in_output` says where it stands.
 */
export function toRowLine(row: SampleResult): string {
  const line = `${escapeJson(row)}\n`;
  if (line.length <= 2 * MOST_TWICE) return line;
  const answer_in_output = findPart(row.answer, row.output);
  return answer_in_output === null
    ? line
    : `${escapeJson({ ...row, answer: null, answer_in_output })}\n`;
}

/** A row as its line has it, with its answer. */
export function withAnswer(
  row: SampleResult & { readonly answer_in_output?: unknown },
): SampleResult {
  const { answer_in_output: part, ...others } = row;
  if (part === undefined || row.output === null) return row;
  const [start, end] = Array.isArray(part) ? part : [];
  const isText = typeof row.output === 'string' && Array.isArray(part);
  const answer = isText ? String(row.output).slice(start, end) : row.output;
  return Object.assign(others, { answer });
}

function findPart(answer: Json, output: Json): AnswerPart | null {
  if (typeof answer === 'string' && typeof output === 'string') {
    if (answer.length <= MOST_TWICE) return null;
    const start = output.indexOf(answer);
    return start < 0 ? null : [start, start + answer.length];
  }
  return answer !== null && isDeepStrictEqual(answer, output) ? true : null;
}
