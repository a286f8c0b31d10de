import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extractChoice } from './extract-choice.ts';

type Edge = {
  readonly id: string;
  readonly case: string;
  readonly options: Readonly<Record<string, string>>;
  readonly output: string;
  readonly chosen: readonly string[] | null;
  readonly multiple?: boolean;
};

const edges: readonly Edge[] = readFileSync(new URL('edges.cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Edge => JSON.parse(line));

describe('extractChoice on the edge cases', () => {
  it.each(edges)('$id ($case): $output', ({ options, output, chosen, multiple }) => {
    const question = multiple === undefined ? { choices: options } : { choices: options, multiple };
    expect(extractChoice(output, question).choices).toEqual(chosen);
  });
});
