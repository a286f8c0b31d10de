/**
 * The spellings of each field, normalised (lower case, words separated by a space), the preferred one first.
 * "Corrrect Option (s)" is how the header of source note 004's table is really spelt.
 */
export const SPELLINGS = {
  id: ['task id', 'id', 'question id', 'qid', 'record id'],
  context: ['case context', 'context', 'passage', 'vignette'],
  question: ['question', 'input', 'prompt', 'stem'],
  type: ['answer type', 'question type', 'choice type', 'multiple', 'multi select', 'type'],
  options: ['options', 'choices', 'option s', 'answer options'],
  answer: [
    'corrrect option s',
    'correct option s',
    'correct option',
    'correct options',
    'correct answer s',
    'correct answer',
    'correct answers',
    'correct',
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
  ],
  subject: ['subject', 'subject name', 'category', 'topic', 'high level domain'],
} as const;
