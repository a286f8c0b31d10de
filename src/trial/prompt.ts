import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { quote } from '../records/show-value.ts';
import type { Sample } from '../types.ts';
import { toNeutralNames } from './workdir.ts';

/** A placeholder is a name between double braces. */
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

const FILLERS: Readonly<Record<string, (sample: Sample) => string>> = {
  question: ({ input }) => input,
  choices: ({ choices = {} }) =>
    Object.entries(choices)
      .map(([label, text]) => `${label}. ${text}`)
      .join('\n'),
  attachments: ({ attachments }) => toNeutralNames(attachments).join(', '),
  group: ({ group }) => group,
};

/** One pass with a function: a question that itself holds "{{" or "$&" is inserted as it is. */
export function renderPrompt(template: string, sample: Sample): string {
  return template.replace(PLACEHOLDER, (placeholder, name: string) => FILLERS[name]?.(sample) ?? placeholder);
}

/**
 * Throws when a prompt template lacks its question, or holds a placeholder that nothing fills. `evalFile` is the file of
 * the suite; the message names the prompt's own file where that lies beside it.
 */
export function checkPrompt(template: string, evalFile: string): void {
  const names = [...template.matchAll(PLACEHOLDER)].map(([placeholder, name = '']) => ({ placeholder, name }));
  const unknown = names.find(({ name }) => !Object.hasOwn(FILLERS, name));
  if (unknown !== undefined) {
    const known = Object.keys(FILLERS).map((filler) => `{{${filler}}}`);
    const problem = `the prompt has an unknown placeholder, ${quote(unknown.placeholder)}`;
    throw new Error(`${findPromptFile(template, evalFile)}: ${problem}. Use ${known.join(', ')}.`);
  }
  if (names.some(({ name }) => name === 'question')) return;
  const similar = findSimilar(template);
  const found = similar === null ? '' : ` It has ${quote(similar)}.`;
  const problem = `the prompt has no {{question}}, so every sample would be asked without its question.${found}`;
  const remedy = 'Write {{question}} where the question belongs.';
  throw new Error(`${findPromptFile(template, evalFile)}: ${problem} ${remedy}`);
}

/** What may be meant for {{question}}: a name in other brackets. */
function findSimilar(template: string): string | null {
  const unfilled = template.replace(PLACEHOLDER, '');
  const found = unfilled.match(/\$?\{{1,3}[^{}"\n]{1,60}\}{1,3}|[<[%]\s{0,9}question\s{0,9}[>\]%]/gi) ?? [];
  return found.find((text) => /question/i.test(text)) ?? found[0] ?? null;
}

/** A suite has its prompt as a text: the file beside it that holds this text, else the suite's own file. */
function findPromptFile(template: string, evalFile: string): string {
  const folder = dirname(evalFile);
  const name = readdirSync(folder).find((name) => /\.(?:md|txt)$/.test(name) && read(join(folder, name)) === template);
  return relative(process.cwd(), name === undefined ? evalFile : join(folder, name));
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
