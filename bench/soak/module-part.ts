import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOurs } from '../overhead/projects.ts';
import { makeRecords } from '../overhead/records.ts';
import { kindOf, MODULE_KINDS } from './kinds.ts';
import { makeScript } from './make-script.ts';
import { countCalls, type Part } from './part.ts';

const AGENT = 'module:./agent.ts';

/** The run of agent.ts, which takes so long for an answer on average. */
export function makeModulePart(folder: string, count: number, meanMs: number): Part {
  const records = makeRecords({ count, wrong: 'none' });
  const project = makeOurs(folder, records);
  cpSync(join(import.meta.dirname, 'agent.ts'), join(folder, 'agent.ts'));
  writeFileSync(join(folder, 'script.json'), JSON.stringify(makeScript(records, meanMs)));
  return {
    name: 'module',
    project: { ...project, env: { ...project.env, EVAL_AGENT: AGENT, EVAL_TIMEOUT: '12' } },
    expected: records.map(({ id }, index) => {
      const { name, state } = kindOf(MODULE_KINDS, index);
      return { agent: AGENT, id, kind: name, state, calls: 1 };
    }),
    calls: () => countCalls(AGENT, readFileSync(join(folder, 'calls.txt'), 'utf8')),
  };
}
