/**
 * The names of fields in records of datasets and of predictions, which are told apart by them.
 * The preferred name comes first; case, spaces and punctuation do not count.
 */

/** The id of a question, by which a prediction belongs to it. */
export const IDS = [
  'task id',
  'id',
  'question id',
  'qid',
  'record id',
  'uuid',
  'unique id',
  'sample id',
] as const;

/** What is asked. */
export const INPUTS = ['question', 'input'] as const;

/** Names that are used where no preferred one is there. */
export const SECOND_INPUTS = [
  'prompt',
  'stem',
  'question stem',
  'question text',
  'query',
  'problem',
  'qtext',
  'instruction',
] as const;

/** All options of a question in one field. */
export const OPTIONS = [
  'options',
  'choices',
  'option',
  'choice',
  'answer options',
  'answer choices',
  'endings',
  'candidates',
] as const;

/** The expected answer. "Corrrect Option (s)" is the real spelling in the sample table's header. */
export const TARGETS = [
  'corrrect options',
  'correct option',
  'correct options',
  'correct answer',
  'correct answers',
  'final answer',
  'answer',
  'answers',
  'answer key',
  'answer idx',
  'answer index',
  'target',
  'truth',
  'ground truth',
  'expected',
  'expected answer',
  'golden answer',
  'gold answer',
  'gold standard answer',
  'gold target',
  'ground truth answer',
  'gt answer',
  'true answer',
  'reference answer',
  'target answer',
  'standard answer',
] as const;

/** Names that are used where no preferred one is there. */
export const SECOND_TARGETS = [
  'correct',
  'label',
  'labels',
  'gold',
  'ideal',
  'gold label',
  'solution',
  'expected output',
  'expected answers',
  'golden answers',
  'gold answers',
  'ground truths',
  'ground truth answers',
  'reference answers',
  'accepted answers',
  'acceptable answers',
  'possible answers',
  'right answer',
  'best answer',
  'ideal answer',
] as const;

/**
 * "gold index", "correct letter", "answer text": such a field may contain something other than an
 * answer. It counts as a second answer where it names an option.
 */
export const OTHER_TARGET =
  /^(?:(?:correct(?:option|answer)?|gold|answer|right)(?:index|idx|letter|label|text|choice|option|answer|id)|correct(?:choices)?|labels?|gold|key|ans|cop)$/;

/** The whole text that an agent gave. */
export const OUTPUTS = [
  'output',
  'response',
  'model_output',
  'model_outputs',
  'model_response',
  'generated_text',
  'generation',
  'completion',
  'output_text',
  'agent_output',
  'agent_response',
  'llm_output',
  'llm_response',
  'raw_output',
  'raw_response',
  'full_output',
  'full_response',
  'final_response',
  'actual_output',
  'reply',
] as const;

/** What another system took from the whole text. */
export const EXTRACTED_OUTPUTS = [
  'agent_answer',
  'actual_answer',
  'prediction',
  'pred',
  'predicted',
  'predicted_answer',
  'pred_answer',
  'extracted_answer',
  'parsed_answer',
  'generated_answer',
  'model_prediction',
  'actual',
] as const;

/** The bare answer, as GAIA's leaderboard takes it. */
export const BARE_OUTPUTS = ['model_answer', 'submitted_answer'] as const;

/** Fields that have a whole record in them, and whose records those are. To add a kind: a line. */
export const WRAPPER_FIELDS = {
  item: "OpenAI's hosted Evals",
  datasource_item: "OpenAI's hosted Evals",
  row: "The Hub's viewer",
} as const;
