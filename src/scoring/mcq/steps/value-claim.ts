import type { Claim, ClaimValue } from '../claims/claim.ts';
import { clean } from '../clean/clean.ts';
import { originalSpan, track } from '../clean/tracked-text.ts';
import { decide } from '../decide.ts';
import { type KnownQuestion, type Reading, toReading } from '../reading.ts';
import { plainSteps } from './plain-steps.ts';

/** The claim of a structured value that stands at [start, end) of what was said. */
export function valueClaim(reading: Reading, values: readonly string[] | null, start: number, end: number): Claim {
  return {
    value: claimed(reading.question, values),
    start,
    end,
    by: 'label',
    span: originalSpan(reading.said, start, end),
  };
}

function claimed(question: KnownQuestion, values: readonly string[] | null): ClaimValue {
  const [first, ...others] = values ?? [];
  if (first === undefined) return { kind: 'nothing' };
  if (others.length === 0) return readValue(question, first);
  const read = [first, ...others].map((value) => readValue(question, value));
  const labels = read.flatMap((value) => (value.kind === 'labels' ? value.labels : []));
  return labels.length >= read.length ? { kind: 'labels', labels } : { kind: 'nothing' };
}

function readValue(question: KnownQuestion, value: string): ClaimValue {
  const cleaned = clean(track(value));
  return decide(toReading(question, cleaned, cleaned), plainSteps)?.claim.value ?? { kind: 'nothing' };
}
