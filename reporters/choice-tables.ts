import type { SuiteSummary } from '../src/types.ts';
import { formatRate } from './figures.ts';
import type { SuiteTable } from './suite-rows.ts';

/** Accuracy by the confidence that answers stated; null where none stated any. */
export function toConfidenceTable({ confidence }: SuiteSummary): SuiteTable | null {
  if (confidence.length === 0) return null;
  const rows = confidence.map(({ bucket, n, correct, accuracy }) => [
    bucket,
    String(n),
    String(correct),
    formatRate(accuracy),
  ]);
  return { align: ['left', 'right', 'right', 'right'], rows: [['confidence', 'n', 'correct', 'accuracy'], ...rows] };
}

/** Accuracy by where the right option stood; null where options were not put into another order. */
export function toPositionTable({ positions }: SuiteSummary): SuiteTable | null {
  if (positions.length === 0) return null;
  const rows = positions.map(({ position, n, correct, accuracy, chosen }) => [
    String(position),
    String(n),
    String(correct),
    formatRate(accuracy),
    String(chosen),
  ]);
  const head = ['position', 'n', 'correct', 'accuracy', 'chosen'];
  return { align: head.map(() => 'right'), rows: [head, ...rows] };
}

/** Short lines for the terminal: the chance level and accuracy by stated confidence. */
export function toChoiceLines({ chance, confidence }: SuiteSummary): readonly string[] {
  const buckets = confidence.map(({ bucket, n, accuracy }) => `${bucket} ${formatRate(accuracy)} of ${n}`);
  return [
    ...(chance === null ? [] : [`chance level: ${formatRate(chance)}`]),
    ...(buckets.length === 0 ? [] : [`accuracy by stated confidence: ${buckets.join(', ')}`]),
  ];
}

/** Mean partial credit as a sentence; null where there is none. */
export function describePartial({ partial }: SuiteSummary): string | null {
  if (partial === null) return null;
  const means = Object.entries(partial).map(([name, mean]) => `${name} ${formatRate(mean)}`);
  return `Mean partial credit (no part of accuracy): ${means.join(', ')}`;
}
