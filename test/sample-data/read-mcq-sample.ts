import { readFileSync } from 'node:fs';
import { readRows } from './read-rows.ts';

/** A row of the sample, its options without label prefixes and its truth as option texts. */
export type McqRow = {
  readonly id: string;
  readonly context: string;
  readonly question: string;
  readonly type: string;
  readonly options: readonly string[];
  readonly truth: string;
  readonly right: readonly string[];
  readonly subject: string;
};

/** Parses the committed rows without the loader of the suite: what both read alike is right twice over. */
export function readMcqSample(): readonly McqRow[] {
  return readRows(readFileSync('evals/mcq/sample/questions.csv', 'utf8')).map((row) => {
    const options = (row['Options'] ?? '').split('|').map((text) => text.trim().replace(/^[A-F]\. /, ''));
    const truth = row['Corrrect Option (s)'] ?? '';
    return {
      id: row['ID'] ?? '',
      context: row['Case context'] ?? '',
      question: row['Question'] ?? '',
      type: row['Answer type'] ?? '',
      options,
      truth,
      right: toTexts(truth, options),
      subject: row['Subject'] ?? '',
    };
  });
}

/** The forms of truth that the sample uses: option text, ALL, NONE, letters with or without separators. */
function toTexts(truth: string, options: readonly string[]): readonly string[] {
  if (options.includes(truth)) return [truth];
  if (truth === 'ALL') return ['All of the above'];
  if (truth === 'NONE') return ['None of the above'];
  const letters = [...truth.replace(/and|[,; ]/g, '')];
  return letters.map((letter) => options['ABCDEF'.indexOf(letter)] ?? `no option ${letter}`);
}
