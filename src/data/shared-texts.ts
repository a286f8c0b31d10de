import type { Note } from '../words/sample.ts';
import { lineIf, partOf, plural, quote, toNotes } from '../words/show.ts';
import type { Reading } from './read-record.ts';
import type { ClusteredDraft } from './samples.ts';
import { listNames, type Shape, type SuiteKind, showShape } from './shape.ts';

/**
 * Says where several questions show one text and no cluster is named, which
 * people alone can tell to be a passage.
 */
export function noteSharedTexts(
  drafts: readonly Pick<ClusteredDraft, 'context' | 'cluster'>[],
  { shape, kind }: Pick<Reading, 'shape' | 'kind'>,
): readonly Note[] {
  const { context, cluster } = shape;
  const [name] = listNames(context);
  const isNamed = cluster !== undefined || drafts.some((draft) => draft.cluster !== null);
  if (name === undefined || isNamed) return [];
  const texts = Map.groupBy(drafts, (draft) => draft.context);
  texts.delete(null);
  const shared = [...texts.values()].filter(({ length }) => length > 1);
  const questions = shared.reduce((sum, { length }) => sum + length, 0);
  const subject = `${partOf(questions, drafts.length, 'question', 'shares', 'share')} ${plural(shared.length, 'text')} of ${quote(name)}`;
  const text = `${subject}, but intervals take all for independent, so they may be too narrow. ${CLUSTER_REMEDIES[kind](name, shape)}`;
  return toNotes('clusters', lineIf(shared.length > 0, text));
}

const CLUSTER_REMEDIES: Readonly<Record<SuiteKind, (name: string, shape: Shape) => string>> = {
  gaia: (name) => `Ask in a suite of your own with cluster: ${JSON.stringify(name)}.`,
  mcq: (name, shape) => `Set EVAL_MCQ_FIELDS='${showShape({ ...shape, cluster: name })}'.`,
  records: (name) => `Write cluster: ${JSON.stringify(name)} in defineEval.`,
};
