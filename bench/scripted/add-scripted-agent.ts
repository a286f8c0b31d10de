import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../overhead/projects.ts';

/** By question id: what the agent says, and after how many ms. */
export type Script = Readonly<Record<string, { readonly output: string; readonly ms: number }>>;

/** Puts a `module:` agent into a project's folder and names it in the settings. */
export function addScriptedAgent(project: Project, script: Script): Project {
  cpSync(join(import.meta.dirname, 'agent.ts'), join(project.cwd, 'agent.ts'));
  writeFileSync(join(project.cwd, 'script.json'), JSON.stringify(script));
  return { ...project, env: { ...project.env, EVAL_AGENT: 'module:./agent.ts' } };
}
