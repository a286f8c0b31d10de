import type { EvalDefinition } from './run/suite.ts';

/**
 * Defines a suite in an eval file: one Vitest test for each selected sample, agent and trial, named
 * `<name> > <group> > <id>`. Await it at the top of the file. Rejects with what is wrong in the definition, its records or
 * the settings, before any agent is asked.
 */
export async function defineEval(name: string, definition: EvalDefinition): Promise<void> {
  // Loaded here: this module can be imported where Vitest does not run.
  const { generateEval } = await import('./generate-eval.ts');
  await generateEval(name, definition);
}
