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

export const WORKLOADS: readonly Workload[] = [
  {
    count: 200,
    wrong: 'none',
    rows: [
      toRow('small', 'recorded answers, package', 'package-replay', 1.25),
      toRow('cold', 'recorded answers, cold caches, package', 'package-cold', 1.3, 'plain-cold'),
      toRow('small-clone', 'recorded answers, clone', 'replay', 1.4),
    ],
  },
  {
    count: 10_000,
    wrong: 'none',
    rows: [
      toRow('large-clone', 'recorded answers, clone', 'replay', 1.6),
      toRow(
        'module',
        '`module:` agent that answers at once, empty cache, package',
        'package-module',
        1.8,
      ),
      toRow('resume', 'from the cache, package', 'package-resume', 1.6),
    ],
  },
  {
    count: 10_000,
    wrong: 'half',
    rows: [toRow('half', 'recorded answers, half wrong, package', 'package-replay', 1.5)],
  },
  {
    count: 50_000,
    wrong: 'none',
    maxRounds: 5,
    rows: [
      {
        ...toRow('memory', 'recorded answers, package', 'package-replay', 0),
        bar: { moreBytes: 150e6 },
      },
    ],
  },
];

function toRow(
  name: string,
  title: string,
  viva: SideName,
  ratio: number,
  plain: SideName = 'plain',
): Row {
  return { name, title, plain, viva, bar: { ratio } };
}
