import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  DEFAULT_AGENT,
  findSpecProblem,
  kindOf,
  listAgentForms,
  parseAgentSpecs,
} from '../agents/kinds.ts';
import { suggestSpec } from '../agents/meant-spec.ts';
import type { AgentSpec } from '../agents/spec.ts';
import { isFile } from '../data/files/read-file.ts';
import type { EvalConfig } from '../settings.ts';
import { resolveReplays } from '../store/find-run.ts';
import { quote, showPath, showValue } from '../words/show.ts';
import type { SuiteAgent, SuiteDefinition } from './definition.ts';
import type { Suite } from './suite.ts';

/** An agent to ask. `name` is null for the only one of a suite, and for those of EVAL_AGENT. */
export type ChosenAgent = Readonly<{
  name: string | null;
  spec: AgentSpec;
  /** A function of the eval file; absent for a module or a model. */
  written?: SuiteAgent;
  /** Whether it costs nothing, because the suite says so. */
  isFree?: boolean;
}>;

/**
 * Who is asked: the agents of EVAL_AGENT, else those of the suite, else its predictions; empty
 * without any. `isMade`: a test makes its agents itself.
 */
export function chooseAgents(
  { file, definition }: Pick<Suite, 'file' | 'definition'>,
  { agents, dir }: Pick<EvalConfig, 'agents' | 'dir'>,
  isMade = false,
): readonly ChosenAgent[] {
  if (agents !== null || isMade)
    return (agents ?? [DEFAULT_AGENT]).map((spec) => ({ name: null, spec }));
  const listed = listSuiteAgents(definition, file);
  if (listed.length === 0) return definition.predictions === undefined ? [] : [PREDICTIONS];
  const specs = resolveReplays({ dir, agents: listed.map(({ spec }) => spec) }).agents ?? [];
  const chosen = listed.map((agent, index) => ({ ...agent, spec: specs[index] ?? agent.spec }));
  for (const { spec, written } of chosen) {
    const problem = written === undefined ? findSpecProblem(spec, process.cwd()) : null;
    if (problem !== null) throw new Error(problem);
  }
  return chosen;
}

/** Recorded answers of the suite itself. */
const PREDICTIONS: ChosenAgent = { name: null, spec: DEFAULT_AGENT };

/** The agents that a suite asks if EVAL_AGENT is not set. Throws for one that cannot be asked. */
function listSuiteAgents(
  { agent, agents, free }: Pick<SuiteDefinition, 'agent' | 'agents' | 'free'>,
  file: string,
): readonly ChosenAgent[] {
  const named = Object.entries(agents ?? {});
  const all =
    agent === undefined
      ? named.map(([name, each]) => toChosenAgent(name, each, file))
      : [toChosenAgent(null, agent, file)];
  checkRepeated(all, file);
  return all.map((chosen) => {
    const { isPaid, isModel } = kindOf(chosen.spec);
    // A model costs money, whatever a suite says.
    return { ...chosen, isFree: free === true && isPaid && !isModel };
  });
}

/** One agent under two names would answer one of them from the cached answers of the other. */
function checkRepeated(all: readonly ChosenAgent[], file: string): void {
  const named = all.filter(({ written }) => written === undefined);
  const groups = Map.groupBy(named, ({ spec: { kind, target, params } }) =>
    JSON.stringify([kind, target, params]),
  );
  const same = [...groups.values()].find(({ length }) => length > 1);
  if (same === undefined) return;
  const names = same.map(({ name }) => quote(name ?? '')).join(' and ');
  throw new Error(
    `${showPath(file)}: the agents ${names} are the same. Name it once; EVAL_TRIALS repeats it.`,
  );
}

function toChosenAgent(name: string | null, agent: SuiteAgent | string, file: string): ChosenAgent {
  const setting = `${showPath(file)}, agent${name === null ? '' : ` ${quote(name)}`}`;
  // The agent of an eval file works like a module.
  if (typeof agent !== 'string')
    return { name, spec: { kind: 'module', target: '', text: 'agent', setting }, written: agent };
  const spec = parseSuiteSpec(agent, file);
  const path = spec?.kind === 'module' ? spec.target : null;
  if (path !== null && !isFile(path)) {
    const remedy = 'Correct the path, which begins at the eval file.';
    throw new Error(`${setting}: ${quote(showPath(path))} is not a file. ${remedy}`);
  }
  if (spec !== null) return { name, spec: { ...spec, setting } };
  const forms = `a function, a path such as './agent.ts', or one of ${listAgentForms()}`;
  throw new Error(`${setting} must be ${forms}, got ${showValue(agent)}.${suggestSpec(agent)}`);
}

/**
 * The spec of a path, which begins at the eval file, as that of a replay may; or of a kind of EVAL_AGENT.
 * Null if a text is neither.
 */
export function parseSuiteSpec(text: string, file: string): AgentSpec | null {
  const place = (path: string) => resolve(dirname(file), path);
  if (/^\.{0,2}\//.test(text)) return { kind: 'module', target: place(text), text };
  const [spec, ...others] = parseAgentSpecs(text) ?? [];
  if (spec === undefined || others.length > 0) return null;
  const isBeside = spec.kind === 'replay' && spec.target !== '' && existsSync(place(spec.target));
  return spec.kind === 'module' || isBeside ? { ...spec, target: place(spec.target) } : spec;
}

/** Whether asking an agent of a suite may cost money. */
export function mayCost({ spec, isFree }: ChosenAgent): boolean {
  return kindOf(spec).isPaid && isFree !== true;
}
