import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { createReplays } from '../../src/agents/replay.ts';
import { readConfig } from '../../src/config.ts';
import { matchers } from '../../src/matchers/index.ts';
import { makeLane, NAMED } from '../../src/run/lanes.fixture.ts';
import { toSuite } from '../../src/run/suite.ts';
import { runTrial } from '../../src/run/trial.ts';
import { flushResults, readSampleLog } from '../../src/store/sample-log.ts';
import { toSample } from '../../src/types.fixture.ts';
import type { Agent } from '../../src/types.ts';
import { makeFolder } from '../make-folder.ts';
import { makeRun } from '../make-run.ts';
import { APIS, specOf } from './apis.ts';
import { makeAgent } from './ask-agent.ts';
import { startScriptedServer } from './scripted-server.ts';

expect.extend(matchers);

const CALL = { code: '6 * 7' };
const ANSWER = {
  output: '42',
  cost: 0.01,
  trace: [{ tool_calls: [{ name: 'sum', arguments: CALL, result: 42 }] }, { text: '42' }],
};

/** The agents that show their steps: a model of each API, a module and a command. */
async function makeAgents(): Promise<readonly Agent[]> {
  const folder = makeFolder({
    'agent.mjs': `export default { priced: true, answer: () => (${JSON.stringify(ANSWER)}) };`,
    'agent.sh': `echo '${JSON.stringify(ANSWER)}'`,
  });
  const models = APIS.map(async ({ kind, base, call, text }) => {
    const { url } = await startScriptedServer([call('sum', CALL), text('42')]);
    return makeAgent(`${specOf(kind)}?base_url=${base(url)}`, {
      prices: { m: { input: 1, output: 1 } },
    });
  });
  const own = [`module:${folder}/agent.mjs`, `command:sh ${folder}/agent.sh`].map((spec) =>
    makeAgent(spec),
  );
  return Promise.all([...models, ...own]);
}

const sample = toSample({ suite: 'paths', target: '42' });

/** Runs a trial by each agent into a run folder, and returns its rows. */
async function run(agents: readonly Agent[], folder: string, context: TestContext) {
  const suite = toSuite(
    'paths',
    {
      data: [{}],
      score: ({ answer, target, ...path }) => {
        expect(answer).toBe(target);
        expect(path.trace).toHaveCalledTools([{ name: 'sum', args: CALL }], { extra: false });
        expect(path.trace).toHaveLength(2);
        expect(path.cost).toBeLessThanOrEqual(0.02);
        expect(path.cost).toBeGreaterThan(0.000_001);
      },
    },
    'paths.eval.ts',
  );
  const assert = ({ thrown }: { thrown?: Error }) => {
    if (thrown !== undefined) throw thrown;
  };
  for (const agent of agents) {
    await runTrial(
      {
        sample,
        lane: makeLane({ agent }),
        parts: null,
        cached: null,
        deadlineMs: 20_000,
        meta: { ...NAMED, suite: 'paths', agent: agent.name },
      },
      {
        suite: { ...suite, assert },
        run: { config: readConfig({}), folder, secrets: [], ui: false },
        gated: false,
      },
      context,
    );
  }
  flushResults();
  return readSampleLog(folder).results;
}

test('the path of each kind of agent is judged, and again where its run is replayed', async (context) => {
  const agents = await makeAgents();
  const [folder, again] = [makeFolder(), makeFolder()];
  const rows = await run(agents, folder, context);
  expect(rows.map(({ agent, state }) => [agent, state])).toEqual(
    agents.map(({ name }) => [name, 'correct']),
  );

  makeRun(rows, { dir: dirname(folder), name: basename(folder) });
  const suite = { suite: 'paths', ids: ['a'], predictions: '' };
  const replays = createReplays(
    { kind: 'replay', target: folder, text: `replay:${folder}` },
    suite,
  );
  const replayed = await run(replays, again, context);
  expect(replayed.map(({ state }) => state)).toEqual(agents.map(() => 'correct'));
  // A replay of the replay has them too.
  expect(globSync(join(again, 'traces/**/*.json'))).toHaveLength(agents.length);
  delete context.task.meta.eval;
});
