import type { BenchRecord } from '../overhead/records.ts';
import type { Script } from './agent.ts';
import { kindOf, MODULE_KINDS } from './kinds.ts';

/** What the agent does with each question, after times that fall off exponentially around `meanMs`, at most 1 s. */
export function makeScript(records: readonly BenchRecord[], meanMs: number): Script {
  return Object.fromEntries(
    records.map(({ id, truth }, index) => {
      const { name } = kindOf(MODULE_KINDS, index);
      const answer = name === 'wrong' ? `not ${truth}` : truth;
      return [id, { kind: name, answer, ms: Math.round(Math.min(1000, -Math.log(toShare(id)) * meanMs)) }];
    }),
  );
}

/** A number above 0 and at most 1 that is the same in each run. */
function toShare(id: string): number {
  return (Number.parseInt(id.slice(0, 8), 16) + 1) / 2 ** 32;
}
