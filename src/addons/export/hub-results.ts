import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Quotable } from '../../../reporters/quotation.ts';
import { describeAccuracy, describeConditions } from '../../../reporters/quotation-lines.ts';
import { countCopies, countReplacedTools } from '../../../reporters/run-remarks.ts';
import { ensureFolder } from '../../data/files/read-file.ts';
import { toSuiteKey } from '../../figures/groups.ts';
import { writeWhole } from '../../store/line-file.ts';
import { slug } from '../../store/run-folder.ts';
import { escapeJson } from '../../words/show.ts';

/**
 * Writes a file of results for each figure, as `.eval_results/` of a model's repository on the
 * Hugging Face Hub has them, and returns the files. `task` is the id of a task in the eval.yaml of
 * the dataset.
 */
export function writeHubResults(
  figures: readonly Quotable[],
  task: string,
  folder: string,
): readonly string[] {
  if (figures.length > 0) ensureFolder(folder);
  return figures.map((quoted) => {
    const key = hash('sha256', toSuiteKey(quoted.figures)).slice(0, 8);
    const file = join(folder, `${slug(quoted.suite)}-${slug(quoted.agent.name)}-${key}.yaml`);
    writeWhole(file, toHubResult(quoted, task));
    return file;
  });
}

/**
 * YAML with the fields of huggingface/hub-docs' eval_results.yaml. The value is in percent. Left out
 * are verifyToken and evaluation_framework, with which the Hub calls a result verified, and the
 * source, which the one who publishes knows.
 */
function toHubResult(quoted: Quotable, task: string): string {
  const { dataset, accuracy, answered } = quoted;
  // A text of JSON is one of YAML too.
  const lines = [
    '- dataset:',
    `    id: ${escapeJson(dataset.hub?.name)}`,
    `    task_id: ${escapeJson(task)}`,
    `    revision: ${escapeJson(dataset.revision)}`,
    `  value: ${(accuracy * 100).toFixed(2)}`,
    `  date: ${escapeJson(answered.last)}`,
    `  notes: ${escapeJson(describeSetup(quoted))}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What the value is of, since the format has no field for it. */
function describeSetup(quoted: Quotable): string {
  const { agent, prompt, grading, figures } = quoted;
  return [
    ...describeAccuracy(quoted),
    ...countCopies(figures),
    ...countReplacedTools(figures),
    `agent ${agent.name}`,
    `prompt ${prompt.name}`,
    ...describeConditions(quoted),
    `viva ${grading.viva}`,
  ].join('; ');
}
