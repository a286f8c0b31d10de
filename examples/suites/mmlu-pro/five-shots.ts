import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type Dataset, loadMcq, type Sample } from 'viva';

/** How many solved questions of its subject stand before each question, as in the paper. */
const SHOTS = 5;

/** The dev split beside the questions: on the Hub, or in the folder of a copy. Throws if it is not there. */
export function findDev(questions: string): string {
  const [source = ''] = /^hf:[^:]*/.exec(questions) ?? [];
  if (source !== '') return `${source}:validation`;
  const folder = extname(questions) === '' ? questions : dirname(questions);
  const dev = join(folder, 'validation-00000-of-00001.parquet');
  if (existsSync(dev)) return dev;
  throw new Error(
    `The five shots are of the dev split, and ${folder} has no ${basename(dev)}. Put it there, or name hf:TIGER-Lab/MMLU-Pro in EVAL_MCQ.`,
  );
}

/**
 * The questions with five solved ones of their subject before each. Rejects if the dev split has
 * fewer of a subject.
 */
export async function loadFiveShots(
  questions: string,
  dev: string,
  access: Omit<Parameters<typeof loadMcq>[0], 'path'>,
): Promise<Dataset> {
  const dataset = await loadMcq({ ...access, path: questions });
  const solved = await loadMcq({ ...access, path: dev });
  const from = dev.startsWith('hf:') ? dev : basename(dev);
  const bySubject = Map.groupBy(solved.samples, subjectOf);
  const samples = dataset.samples.map((sample) => {
    const others = (bySubject.get(subjectOf(sample)) ?? []).filter(
      ({ input }) => input !== sample.input,
    );
    if (others.length < SHOTS)
      throw new Error(
        `${from} has ${others.length} solved questions about ${subjectOf(sample)} beside ${sample.id}, and the protocol needs ${SHOTS}. Name the test split in EVAL_MCQ, with the dev split beside it.`,
      );
    const shots = others.slice(0, SHOTS).map(showSolved);
    return { ...sample, input: [...shots, `Question: ${sample.input}`].join('\n\n') };
  });
  const text = `${SHOTS} solved questions of its subject from ${from} stand before each question.`;
  return { ...dataset, samples, notes: [...dataset.notes, { kind: 'own', text }] };
}

function subjectOf({ metadata }: Sample): string {
  return String(metadata['category']);
}

/** A question with its options, and its answer with the chain of thought. */
function showSolved({ input, choices = {}, target, metadata }: Sample): string {
  const options = Object.entries(choices).map(([label, text]) => `${label}. ${text}`);
  // The dataset's own begin with "A: ".
  const thoughts = String(metadata['cot_content'] ?? '').replace(/^A: /, '');
  const ending = `The answer is (${target}).`;
  const answer = thoughts.includes(ending) ? thoughts : `${thoughts} ${ending}`.trimStart();
  return [`Question: ${input}`, 'Options:', ...options, `Answer: ${answer}`].join('\n');
}
