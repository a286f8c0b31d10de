/** Another tool: what it is installed from, and how it is run over the records. */
export type Tool = {
  readonly name: string;
  /** Where it is installed, and the folder here that has its files, unless `files` is another. */
  readonly folder: string;
  readonly files?: string;
  readonly packages: readonly string[];
  /** The tool's program in its folder, and its arguments. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What its output says when every record passed; left out where the exit code tells. */
  passed?(count: number): string;
};

const VITEST = 'node_modules/vitest/vitest.mjs';
/** The newest of each major that viva supports. */
export const VITESTS = ['5.1.2', '4.1.12'] as const;

const VITEST_4 = `vitest@${VITESTS[1]}`;
const toPassed = (count: number): string => `${count} passed (${count})`;

const VITEST_EVALS = {
  folder: 'vitest-evals',
  packages: ['vitest-evals@0.16.1', VITEST_4],
  passed: toPassed,
} as const;

/**
 * The tools that are compared, each in a version that was tried. To add one: its files, and an
 * entry here.
 */
export const TOOLS: readonly Tool[] = [
  ...VITESTS.map((version) => ({
    name: `plain Vitest ${version}`,
    folder: `vitest-${version}`,
    files: '../overhead/plain',
    packages: [`vitest@${version}`],
    args: [VITEST, 'run'],
    passed: toPassed,
  })),
  { name: 'vitest-evals', ...VITEST_EVALS, args: [VITEST, 'run'] },
  {
    name: 'vitest-evals, json record',
    ...VITEST_EVALS,
    args: [VITEST, 'run', '--reporter=default', '--reporter=json', '--outputFile.json=record.json'],
  },
  {
    name: 'evalite, in memory',
    folder: 'evalite',
    packages: ['evalite@0.19.0', VITEST_4],
    args: ['node_modules/evalite/dist/bin.js'],
    passed: (count) => `Evals  ${count}`,
  },
  {
    name: 'viteval',
    folder: 'viteval',
    packages: ['viteval@0.5.9'],
    args: ['node_modules/viteval/cli.mjs', 'run'],
    passed: toPassed,
  },
  {
    name: 'promptfoo, with its database',
    folder: 'promptfoo',
    packages: ['promptfoo@0.123.1'],
    args: [
      'node_modules/promptfoo/dist/src/entrypoint.js',
      'eval',
      '-c',
      'promptfooconfig.json',
      '--no-table',
      '--no-cache',
    ],
    env: {
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
      PROMPTFOO_CONFIG_DIR: '.promptfoo',
    },
    // At 10,000 it may end before its last lines are written; its exit code is 100 when a record
    // fails.
  },
];
