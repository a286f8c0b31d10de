import { dirname, resolve } from 'node:path';
import { kindOf, listAgentForms, parseAgentSpecs } from '../agents/kinds.ts';
import { suggestSpec } from '../agents/meant-spec.ts';
import type { AgentSpec } from '../agents/spec.ts';
import { isFile } from '../data/files/read-file.ts';
import type { Agent } from '../words/answer.ts';
import { quote, showPath, showValue } from '../words/show.ts';
import type { EvalDefinition, SuiteAgent } from './definition.ts';

/** An agent that a suite names. `name` is null for its only one. */
export type OwnAgent = Readonly<{
  name: string | null;
  spec: AgentSpec;
  /** A function of the eval file; absent for a module or a model. */
  written?: SuiteAgent;
  /** Whether it costs nothing, because the suite says so. */
  isFree?: boolean;
}>;

/** The agents that a suite asks if EVAL_AGENT is not set. Throws for one that cannot be asked. */
export function listOwnAgents(
  { agent, agents, free }: Pick<EvalDefinition, 'agent' | 'agents' | 'free'>,
  file: string,
): readonly OwnAgent[] {
  const named = Object.entries(agents ?? {});
  const all =
    agent === undefined
      ? named.map(([name, each]) => toOwnAgent(name, each, file))
      : [toOwnAgent(null, agent, file)];
  checkRepeated(all, file);
  return all.map((own) => {
    const { isPaid, isModel } = kindOf(own.spec);
    // A model costs money, whatever a suite says.
    return { ...own, isFree: free === true && isPaid && !isModel };
  });
}

/** One agent under two names would answer one of them from the cached answers of the other. */
function checkRepeated(all: readonly OwnAgent[], file: string): void {
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

function toOwnAgent(name: string | null, agent: SuiteAgent | string, file: string): OwnAgent {
  const setting = `${showPath(file)}, agent${name === null ? '' : ` ${quote(name)}`}`;
  // The agent of an eval file works like a module.
  if (typeof agent !== 'string')
    return { name, spec: { kind: 'module', target: '', text: 'agent', setting }, written: agent };
  const spec = parseOwnSpec(agent, file);
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
 * The spec of a path, which begins at the eval file, or of a kind of EVAL_AGENT; null if a text is
 * neither.
 */
export function parseOwnSpec(text: string, file: string): AgentSpec | null {
  const place = (path: string) => resolve(dirname(file), path);
  if (/^\.{0,2}\//.test(text)) return { kind: 'module', target: place(text), text };
  const [spec, ...others] = parseAgentSpecs(text) ?? [];
  if (spec === undefined || others.length > 0) return null;
  return spec.kind === 'module' ? { ...spec, target: place(spec.target) } : spec;
}

/** Whether asking an agent of a suite may cost money. */
export function mayCost({ spec, isFree }: OwnAgent): boolean {
  return kindOf(spec).isPaid && isFree !== true;
}

export function withName(agent: Agent, name: string): Agent {
  return name === agent.name
    ? agent
    : Object.create(agent, { name: { value: name, enumerable: true } });
}
