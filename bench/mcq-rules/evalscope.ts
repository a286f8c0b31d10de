import { asSet, letterClass } from './letters.ts';
import type { PublicRule } from './rule.ts';

/** The last "ANSWER:" followed by labels, bracketed or listed, leading tokens only; else the last capital of the text. */
export const evalScope: PublicRule = {
  name: 'EvalScope',
  read: (output, question) => {
    const letter = letterClass(question);
    const line = [...output.matchAll(/(?:ANSWER|答案)\s*[:：]\s*([^\n]*)/giu)].at(-1)?.[1];
    const labels = line === undefined ? [] : leadingLabels(line, letter);
    if (labels.length > 0) return labels;
    return asSet([...output.matchAll(new RegExp(letter, 'gu'))].at(-1)?.[0]);
  },
};

function leadingLabels(line: string, letter: string): readonly string[] {
  const labels: string[] = [];
  for (const token of line.split(/[\s,;&]+/u)) {
    const label = new RegExp(`^[([*]*(${letter})[)\\].*]*$`, 'u').exec(token)?.[1];
    if (label === undefined && token !== 'and') break;
    if (label !== undefined) labels.push(label);
  }
  return [...new Set(labels)];
}
