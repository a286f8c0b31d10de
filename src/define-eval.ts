import type { MappedRecord } from './data/prepare-records.ts';
import type {
  AgentResult,
  InferredDefinition,
  NamedScore,
  SuiteDefinition,
  WriteAgentBeforeScore,
} from './run/definition.ts';
import type { GenericNeedsEvalDefinition, WriteExtractBeforeScore } from './run/inferred-types.ts';

/**
 * Defines a suite in an eval file: one Vitest test for each selected sample, agent and trial, named
 * `<name> > <group> > <id>`. Await it at the top level of the file. Before any agent is asked, it
 * rejects if the definition, its records or the settings are wrong.
 *
 * TypeScript infers what scores get. For a file, name what it cannot know:
 * `defineEval<Input, Target, Output>(...)`, or add a `schema`.
 *
 * @example
 * await defineEval('capitals', {
 *   data: [{ id: 'france', input: 'What is the capital of France?', target: 'Paris' }],
 *   agent: ({ prompt }) => askMyAgent(prompt),
 *   score: ({ output, target }) => output.includes(target),
 * });
 */
export async function defineEval<
  Input = unknown,
  Target = unknown,
  Output = unknown,
  // biome-ignore lint/suspicious/noExplicitAny: the records of a file have no type.
  Row = any,
  Mapped extends MappedRecord = never,
  Format extends 'json' | undefined = undefined,
  // The last have defaults for calls that name the first.
  Result extends AgentResult = GenericNeedsEvalDefinition<
    Output,
    WriteAgentBeforeScore,
    AgentResult<Output>
  >,
  Results = GenericNeedsEvalDefinition<
    Output,
    Readonly<Record<string, WriteAgentBeforeScore>>,
    Readonly<Record<string, AgentResult<Output>>>
  >,
  // biome-ignore lint/suspicious/noExplicitAny: without inference it may be any.
  Value extends NamedScore = any,
  // biome-ignore lint/suspicious/noExplicitAny: without inference any name may be read.
  Values extends Readonly<Record<string, NamedScore>> = Readonly<Record<string, any>>,
  Found = WriteExtractBeforeScore,
>(
  name: string,
  definition: InferredDefinition<
    Input,
    Target,
    Output,
    Row,
    Mapped,
    Format,
    Result,
    Results,
    Value,
    Values,
    Found
  >,
): Promise<void> {
  // Loaded here, because this module may be imported outside Vitest.
  const { generateEval } = await import('./run/generate-eval.ts');
  await generateEval(name, definition as SuiteDefinition);
}
