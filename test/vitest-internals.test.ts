import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { WORKER_VARIABLES } from '../src/vitest-worker.ts';
import { cleanEnvironment } from './e2e/run-vitest.ts';
import { makeSharedFolder } from './make-folder.ts';

const PROBE = join(import.meta.dirname, 'fixtures/vitest-internals/probe.ts');
const folder = makeSharedFolder();
let found: Readonly<Record<string, unknown>> = {};

beforeAll(async () => {
  const isOfWorker = (set: string) => WORKER_VARIABLES.some((known) => known === set);
  const outer = Object.entries(cleanEnvironment());
  const env = Object.fromEntries(outer.filter((entry) => !isOfWorker(entry.join('='))));
  const { stdout } = await promisify(execFile)(process.execPath, [PROBE, folder], { env });
  found = JSON.parse(stdout.split('\n').at(-2) ?? '');
});

// A new Vitest that fails here differs where the function says what breaks.
test.each<[use: string, fact: string, expected: unknown]>([
  ['listByRunning', 'first test listed', 'generated title'],
  ['showInUi', 'logs of the module', [expect.objectContaining({ content: 'shown in the UI' })]],
  ['showInUi', 'pages of the UI', 1],
  ['followWorkers', 'state of a killed test', 'pending'],
  ['ListReporter', 'list of tests', false],
  ['printAs', 'logs of the first test', [expect.objectContaining({ content: 'printed\n' })]],
  ['ScoreExpect', 'promises of its test', 0],
  ['ScoreExpect', 'name of its test', 'generated title > right'],
  ['ScoreExpect', 'counters of snapshots', true],
  ['ScoreExpect', 'update of snapshots', expect.stringMatching(/^(?:new|none)$/)],
  ['consoleStreams', 'console streams', 2],
  ['changeThrown', 'unhandled errors', expect.arrayContaining(['changed'])],
  ['isReportDue', 'a report that is due has a timer', true],
  ['isReportDue', 'a report is due when it was sent', false],
  ['endWithMain', 'a channel to the main process', true],
])('Vitest has what %s uses: %s', (_use, fact, expected) => {
  expect(found[fact]).toEqual(expected);
});

test('a worker has the variables that commands do not get', () => {
  // Without its command line, Vitest takes Vite's NODE_ENV.
  const expected = ['NODE_ENV=development', ...WORKER_VARIABLES.slice(1)];
  expect([found['variables of a worker']].flat().toSorted()).toEqual(expected.toSorted());
});
