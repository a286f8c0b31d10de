import type { Case } from './records.ts';
import type { SideName } from './sides.ts';

/**
 * What is compared, and what may come out at most: viva's wall time over plain Vitest's, or its
 * memory above it.
 */
export type Row = Readonly<{
  name: string;
  title: string;
  plain: SideName;
  viva: SideName;
  bar: { readonly ratio: number } | { readonly moreBytes: number };
}>;

/** Records, and the rows that are measured with them, interleaved. */
export type Workload = Case & { readonly maxRounds?: number; readonly rows: readonly Row[] };

const plain = 'plain';
const clone = { title: 'recorded answers, clone', plain, viva: 'replay' } as const;
const installed = { title: 'recorded answers, package', plain, viva: 'package-replay' } as const;

export const WORKLOADS: readonly Workload[] = [
  {
    count: 200,
    wrong: 'none',
    rows: [
      { ...installed, name: 'small', bar: { ratio: 1.3 } },
      {
        name: 'cold',
        title: 'recorded answers, cold caches, package',
        plain: 'plain-cold',
        viva: 'package-cold',
        bar: { ratio: 1.28 },
      },
      { ...clone, name: 'small-clone', bar: { ratio: 1.4 } },
    ],
  },
  {
    count: 10_000,
    wrong: 'none',
    rows: [
      { ...clone, name: 'large-clone', bar: { ratio: 1.7 } },
      {
        name: 'module',
        title: '`module:` agent that answers at once, empty cache, package',
        plain,
        viva: 'package-module',
        bar: { ratio: 2 },
      },
      {
        name: 'resume',
        title: 'from the cache, package',
        plain,
        viva: 'package-resume',
        bar: { ratio: 1.75 },
      },
    ],
  },
  {
    count: 10_000,
    wrong: 'half',
    rows: [
      {
        ...installed,
        name: 'half',
        title: 'recorded answers, half wrong, package',
        bar: { ratio: 1.5 },
      },
    ],
  },
  {
    count: 50_000,
    wrong: 'none',
    maxRounds: 5,
    rows: [{ ...installed, name: 'memory', bar: { moreBytes: 220e6 } }],
  },
];
