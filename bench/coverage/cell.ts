import type { Interval } from '../../src/figures/intervals.ts';
import type { Draw } from '../measure/draw.ts';

/** What is simulated again and again: a line of a table and how much is seen, such as "20 questions". */
export type Cell = Readonly<{
  line: string;
  size: number;
  /** The least share (0..1) of runs whose interval must hold the true value. */
  bar: number;
  run: (draw: Draw) => Simulated;
}>;

/** One run: the true value, the interval of it, and a usual one beside it. */
export type Simulated = Readonly<{ value: number; interval: Interval; plain?: Interval }>;
