import type { ExtractionState } from '../extraction.ts';

/** A question by name, an output, the labels chosen ("A,C") or null, and the state where "answered" or the labels do not say it. */
export type Case = readonly [question: string, output: string, chosen: string | null, state?: ExtractionState];
