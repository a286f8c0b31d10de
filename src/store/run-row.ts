import { hideAgentWording, hideTexts } from '../words/audience.ts';
import { omitNullish } from '../words/fields.ts';
import { ownCopy } from '../words/own-copy.ts';
import type { SampleResult } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import type { LoggedQuestion } from './run-folder.ts';

/**
 * A row of samples.jsonl with its question, for one reader, who may change it.
 *
 * @example
 * const onRow = ({ suite, id, state, input, output }: RunRow) => {
 *   if (state === 'incorrect') console.log(suite, id, input, output);
 * };
 * export default defineConfig({ plugins: [viva({ onRow })] });
 */
export type RunRow = SampleResult & {
  /** The question of the dataset, without a prompt around it; null if it is hidden, or was not kept. */
  readonly input: Json;
  /** The options in the order in which they were presented; absent without some. */
  readonly choices?: readonly (readonly [label: string, text: string])[];
  /** The names of the files that belong to the question; absent without one. */
  readonly attachments?: readonly string[];
  /** Whether this run asked the agent: not for a cached or a recorded answer, nor for `not_run`. */
  readonly asked: boolean;
  /** Present where CI hides the records: `input`, `target`, `output`, `answer` and what quotes them are null or "". */
  readonly hidden?: true;
};

/** `question` is null if it was not kept. */
export function toRunRow(
  row: SampleResult,
  question: LoggedQuestion | null,
  isHidden: boolean,
): RunRow {
  const asked = !row.cached && row.slots !== undefined;
  if (isHidden) return { ...hideTexts(hideAgentWording(row)), input: null, asked, hidden: true };
  const { input = null, choices, attachments } = question ?? {};
  return { ...row, ...ownCopy({ input, ...omitNullish({ choices, attachments }) }), asked };
}
