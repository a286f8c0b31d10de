import { toVisible, toVisibleLines } from '../text/visible-text.ts';
import type { Sample } from '../types.ts';

/** Longest part of a question that is shown; all of it is in the run folder. */
const MAX_LENGTH = 2000;

/** What the panel of the Vitest UI holds beside its list of tests on a common screen: it wraps no error. */
const COLUMNS = 94;

/** Adds the first line of the question to the message of a failed case. */
export function showFirstLine(error: unknown, { input }: Pick<Sample, 'input'>): void {
  if (!(error instanceof Error)) return;
  const [first = ''] = input.trimStart().split('\n', 1);
  error.message = `${error.message}\nQuestion: "${toVisible(first.trimEnd())}"`;
}

/** Adds the question and its options, in lines, to the message of a failed case: nothing else is shown in lines there. */
export function showQuestion(error: unknown, { input, choices = {} }: Pick<Sample, 'input' | 'choices'>): void {
  if (!(error instanceof Error)) return;
  const text = `${toVisibleLines(input)}${input.length > MAX_LENGTH ? '...' : ''}`;
  const options = Object.entries(choices).map(([label, option]) => `${toVisible(label)}: ${toVisible(option)}`);
  const lines = ['', 'Question:', ...text.split('\n'), ...(options.length === 0 ? [] : ['', ...options])];
  error.message = [error.message, ...lines.flatMap(wrap)].join('\n');
}

/** Only long lines: a short one may be a row of a table. */
function wrap(line: string): readonly string[] {
  if (line.length <= COLUMNS) return [line];
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
