import { toResult } from '../src/figures/result.fixture.ts';
import { judge } from '../src/judge/judge.ts';
import { makeLane, NAMED, UNSPENT } from '../src/run/lanes.fixture.ts';
import { openPairing, readBaselineAnswers } from '../src/run/pairing.ts';
import { readConfig } from '../src/settings.ts';
import type { Json, Message } from '../src/words/sample.ts';
import { toSample } from '../src/words/types.fixture.ts';
import { makeFolder } from './make-folder.ts';
import { makeRun } from './make-run.ts';

export type Answered = readonly [
  agent: string,
  output: Json,
  trial?: number,
  messages?: readonly Message[],
];

type Facts = Readonly<{
  agents?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The folder of results. */
  dir?: string;
  cancelled?: AbortSignal;
  /** The run folders of EVAL_BASELINE, whose agent is "a", and of EVAL_AGENT=replay. */
  baseline?: string;
  replays?: string;
  target?: string | null;
  reference?: null;
  /** What the agents are known to answer, in every trial. */
  known?: Readonly<Record<string, Json>>;
}>;

export const QUESTION = 'What do you say to a guest?';

/** The pairs of a suite, without Vitest. Null where there is nothing to compare. */
export async function openPairs({ agents = ['a', 'b'], env = {}, ...facts }: Facts) {
  const { dir = makeFolder(), baseline, replays = '', known = {}, ...options } = facts;
  const lanes = agents.map((name) => {
    const replayAnswer = () => (name in known ? { output: known[name] ?? null } : null);
    return makeLane({ agent: { name, replayAnswer } });
  });
  const dataset = { suite: 'gaia', dataset: 'made-up', dataset_hash: '' };
  const toVariant = (agent: string) => ({ ...dataset, agent, prompt_hash: '', judges: [] });
  const before = baseline === undefined ? null : { folder: baseline, name: 'before' };
  const answers =
    before && readBaselineAnswers({ ...before, variants: [toVariant('a')] }, agents.map(toVariant));
  const config = readConfig({ EVAL_DIR: dir, ...env });
  const definition = { data: [] };
  const suite = { name: 'gaia', file: 'own.eval.ts', files: [], definition, prompts: [] };
  const prefer = judge('It is kinder.', options.reference === null ? { reference: null } : {});
  const specs = replays === '' ? [] : [{ kind: 'replay', target: replays, text: '' }];
  const run = { config, folder: makeRun([]), ...UNSPENT };
  const about = { isHidden: false, isPrivate: false };
  return {
    pairing: await openPairing(prefer, { suite, lanes }, answers, specs, run, about),
    lanes,
  };
}

/** Has answers judged in pairs, in the order in which they come, and returns what their rows keep. */
export async function judgePairs(model: string, answers: readonly Answered[], facts: Facts = {}) {
  const { env, target = null, cancelled = new AbortController().signal } = facts;
  const { pairing, lanes } = await openPairs({ ...facts, env: { EVAL_JUDGE: model, ...env } });
  const sample = toSample({ id: 'q', input: QUESTION, suite: 'gaia', target });
  const limits = { deadlineMs: 20_000, key: null, cached: null };
  const rows = answers.map(([agent, output, trial = 1, messages]) => {
    const lane = lanes.find((each) => each.agent.name === agent) ?? makeLane();
    const meta = { ...NAMED, agent, id: 'q', trial };
    const row = Object.assign(toResult('ungraded', { agent, id: 'q', trial }), { output });
    const call = { deadlineMs: 20_000, cancelled, messages };
    return pairing?.judge({ sample, lane, meta, ...limits }, row, call) ?? row;
  });
  return (await Promise.all(rows)).map(({ pairs }) => pairs);
}
