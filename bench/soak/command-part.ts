import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOurs } from '../overhead/projects.ts';
import { makeRecords } from '../overhead/records.ts';
import { COMMAND_KINDS, kindOf } from './kinds.ts';
import { countCalls, type Part } from './part.ts';

const AGENT = 'command:sh command-agent.sh';

/** The run of command-agent.sh, a shell for each question. */
export function makeCommandPart(folder: string, count: number): Part {
  const records = makeRecords({ count, wrong: 'none' });
  const project = makeOurs(folder, records);
  cpSync(join(import.meta.dirname, 'command-agent.sh'), join(folder, 'command-agent.sh'));
  mkdirSync(join(folder, 'parts'));
  for (const [index, { id, truth }] of records.entries()) {
    writeFileSync(join(folder, 'parts', id), `${kindOf(COMMAND_KINDS, index).name}\n${truth}\n`);
  }
  return {
    name: 'command',
    project: { ...project, env: { ...project.env, EVAL_AGENT: AGENT, EVAL_TIMEOUT: '60' } },
    expected: records.map(({ id }, index) => {
      const { name, state } = kindOf(COMMAND_KINDS, index);
      return { agent: AGENT, id, kind: name, state, calls: 1 };
    }),
    calls: () => countCalls(AGENT, readFileSync(join(folder, 'calls.txt'), 'utf8')),
  };
}
