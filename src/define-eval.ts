import type { EvalDefinition } from './run/definition.ts';

/**
 * Defines a suite in an eval file: one Vitest test for each selected sample, agent and trial, named
 * `<name> > <group> > <id>`. Await it at the top level of the file. Before any agent is asked, it
 * rejects if the definition, its records or the settings are wrong.
 */
// biome-ignore lint/suspicious/noExplicitAny: a file has no type before a schema says it.
export async function defineEval<Input = any, Target = any, Output = any, Row = any>(
  name: string,
  definition: EvalDefinition<Input, Target, Output, Row>,
): Promise<void> {
  // Loaded here, because this module may be imported outside Vitest.
  const { generateEval } = await import('./run/generate-eval.ts');
  await generateEval(name, definition);
}
