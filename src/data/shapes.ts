import { plainName } from '../words/plain-name.ts';
import {
  IDS,
  INPUTS,
  OPTIONS,
  SECOND_INPUTS,
  SECOND_TARGETS,
  TARGETS,
  WRAPPER_FIELDS,
} from './files/field-names.ts';
import type { Shape, SuiteKind } from './shape.ts';

/** A public dataset, which `docs/datasets.md` lists. */
export type KnownShape = Shape &
  Readonly<{
    name: string;
    /** Fields that every record has, by which the dataset is known. */
    has: readonly string[];
    /** Fields that no record has, where other data have those of `has` and these. */
    without?: readonly string[];
    /** What fields look like in each record, where other data may have the same fields. */
    like?: readonly (readonly [field: string, pattern: RegExp])[];
    /** The kind of suite, where another may mean something else by the same fields. */
    of?: SuiteKind;
    /**
     * A field that shows the base of its indices, where any file may have these fields and no
     * others.
     */
    exact?: readonly [field: string, first: RegExp];
  }>;

const STORY = ['input_sentence_1', 'input_sentence_2', 'input_sentence_3', 'input_sentence_4'];

const LIST = /^\s*\[/;

const STORY_QUESTION = 'Which sentence ends the story?';

/**
 * The known datasets by the field names of their authors. The first one whose fields the records
 * have is taken. It says only what the usual names (`SPELLINGS`) do not: the base of an index,
 * fields of other names, hidden answers. Any of them may hide the answers of a whole file, as test
 * splits do. A new dataset is one entry.
 */
export const SHAPES: readonly KnownShape[] = [
  {
    name: 'GAIA',
    has: ['task_id', 'Question', 'Level', 'Final answer'],
    id: 'task_id',
    attachments: 'file_name',
    skip: { task_id: '0-0-0-0-0' },
  },
  {
    name: 'HLE',
    has: ['question', 'answer', 'answer_type', 'image', 'rationale'],
    inside: true,
    group: 'category',
    only: { answer_type: 'multipleChoice' },
  },
  {
    name: 'MMMU',
    has: ['question', 'options', 'answer', 'image_1', 'question_type'],
    group: 'subfield',
    only: { question_type: 'multiple-choice' },
  },
  {
    name: 'MMMU-Pro',
    has: ['question', 'options', 'answer', 'image_1', 'subject'],
  },
  {
    name: 'MMMU-Pro vision',
    has: ['id', 'image', 'options', 'answer', 'subject'],
    like: [['options', /^\s*\[/]],
    asks: 'Answer the multiple-choice question in the picture.',
  },
  {
    name: 'ScienceQA',
    has: ['question', 'choices', 'answer', 'hint', 'lecture', 'solution'],
    counts: 0,
  },
  {
    name: 'MMLU-Redux',
    has: ['question', 'choices', 'answer', 'error_type'],
    answer: 'answer',
    counts: 0,
    only: { error_type: 'ok' },
  },
  {
    name: 'MMLU-ProX',
    has: ['question', 'option_0', 'answer', 'answer_index', 'src'],
    counts: 0,
  },
  {
    name: 'MMLU in German',
    has: ['question_de', 'choices_de', 'answer'],
    input: 'question_de',
    choices: 'choices_de',
    answer: 'answer',
    counts: 0,
  },
  {
    name: 'ARC in German',
    has: ['question_de', 'choices_de', 'answerKey'],
    input: 'question_de',
    choices: 'choices_de',
    answer: 'answerKey',
  },
  {
    name: 'MMLU-Pro',
    has: ['question', 'options', 'answer_index', 'category'],
    counts: 0,
  },
  {
    name: 'SuperGPQA',
    has: ['uuid', 'question', 'options', 'answer_letter', 'discipline'],
    group: 'discipline',
  },
  {
    name: 'MedXpertQA',
    has: ['question', 'options', 'label', 'medical_task', 'body_system'],
    group: 'medical_task',
  },
  {
    name: 'CareQA',
    has: ['question', 'op1', 'op2', 'cop'],
    answer: 'cop',
    counts: 1,
  },
  {
    name: 'MedMCQA',
    has: ['question', 'opa', 'opb', 'cop'],
    choices: ['opa', 'opb', 'opc', 'opd'],
    answer: ['cop', 'answer'],
    multiple: false,
    hides: 'each record',
  },
  {
    name: 'MedQA',
    has: ['question', 'options', 'answer_idx'],
  },
  {
    name: 'SWAG',
    has: ['startphrase', 'sent1', 'ending0', 'label'],
    input: 'startphrase',
    counts: 0,
  },
  {
    name: 'MedQA as swag',
    has: ['sent1', 'ending0', 'ending1', 'label'],
    input: 'sent1',
    context: 'sent2',
    counts: 0,
  },
  {
    name: 'INCLUDE',
    has: ['question', 'answer', 'language', 'regional_feature'],
    counts: 0,
  },
  {
    name: 'KMMLU',
    has: ['question', 'A', 'B', 'answer', 'Human Accuracy'],
    counts: 1,
  },
  {
    name: 'KorMedMCQA',
    has: ['question', 'A', 'B', 'answer', 'q_number', 'year'],
    counts: 1,
  },
  {
    name: 'Global-MMLU',
    has: ['sample_id', 'question', 'option_a', 'answer', 'subject_category'],
  },
  {
    name: 'HeadQA',
    has: ['qtext', 'answers', 'ra'],
    id: 'name + qid',
    choices: 'answers',
    answer: 'ra',
  },
  {
    name: 'LAB-Bench',
    has: ['question', 'ideal', 'distractors'],
    cluster: 'protocol',
    context: 'protocol',
    images: ['figure', 'tables'],
    group: 'subtask',
  },
  {
    name: 'CupCase',
    has: ['clean_case_presentation', 'correct_diagnosis', 'distractor1'],
    context: 'clean_case_presentation',
    asks: 'What is the most likely diagnosis?',
    right: 'correct_diagnosis',
    wrong: 'distractor*',
  },
  {
    name: 'GPQA',
    has: ['Question', 'Correct Answer', 'Incorrect Answer 1'],
  },
  {
    name: 'SciQ',
    has: ['question', 'correct_answer', 'distractor1'],
    note: `"support" mostly contains the answer: agents see it only if EVAL_MCQ_FIELDS='{"context": "support"}' is set.`,
  },
  {
    name: 'TruthfulQA mc1',
    has: ['question', 'mc1_targets.choices'],
    choices: 'mc1_targets.choices',
    answer: 'mc1_targets.labels',
    multiple: false,
    rightFirst: true,
  },
  {
    name: 'TruthfulQA mc1',
    has: ['question', 'mc1_targets'],
    choices: 'mc1_targets',
    answer: 'mc1_targets',
    multiple: false,
    rightFirst: true,
  },
  {
    name: 'MuSR',
    has: ['narrative', 'question', 'choices', 'answer_index'],
    cluster: 'narrative',
    counts: 0,
  },
  {
    name: 'QuALITY',
    has: ['article', 'question', 'options', 'answer', 'hard'],
    cluster: 'article',
    counts: 0,
  },
  {
    name: 'QuALITY',
    has: ['article', 'question', 'options', 'gold_label'],
    cluster: 'article',
    counts: 1,
  },
  {
    name: 'RACE',
    has: ['article', 'question', 'options', 'answer'],
    cluster: 'article',
  },
  {
    name: 'CommonsenseQA',
    has: ['question.question_concept', 'question.stem', 'question.choices'],
    input: 'question.stem',
    choices: 'question.choices',
  },
  {
    name: 'CommonsenseQA',
    has: ['question', 'question_concept', 'choices'],
  },
  {
    name: 'ARC',
    has: ['question.stem', 'question.choices'],
    input: 'question.stem',
    choices: 'question.choices',
  },
  {
    name: 'OpenBookQA',
    has: ['question_stem', 'choices', 'answerKey'],
  },
  {
    name: 'QASC',
    has: ['question', 'choices', 'combinedfact'],
  },
  {
    name: 'ARC',
    has: ['question', 'choices', 'answerKey'],
  },
  {
    name: 'WinoGrande',
    has: ['sentence', 'option1', 'option2', 'answer'],
    input: 'sentence',
    counts: 1,
  },
  {
    name: 'HellaSwag',
    has: ['ctx', 'endings', 'label'],
    input: 'ctx',
    counts: 0,
    group: 'activity_label',
  },
  {
    name: 'PIQA',
    has: ['goal', 'sol1', 'sol2'],
    input: 'goal',
    choices: 'sol*',
    counts: 0,
  },
  {
    name: 'SIQA',
    has: ['context', 'question', 'answerA', 'answerB', 'answerC', 'label'],
    cluster: 'context',
    counts: 1,
  },
  {
    name: 'COPA',
    has: ['premise', 'choice1', 'choice2', 'question', 'label'],
    counts: 0,
  },
  {
    name: 'Belebele',
    has: ['flores_passage', 'question', 'mc_answer1', 'correct_answer_num'],
    cluster: 'flores_passage',
    id: 'link + question_number',
    choices: 'mc_answer*',
    answer: 'correct_answer_num',
    counts: 1,
    group: 'dialect',
  },
  {
    name: 'AGIEval',
    has: ['query', 'choices', 'gold'],
    counts: 0,
  },
  {
    name: 'AGIEval',
    has: ['passage', 'question', 'options', 'label'],
    cluster: 'passage',
  },
  {
    name: 'BoolQ',
    has: ['question', 'passage', 'answer'],
    cluster: 'passage',
    like: [['answer', /^(?:true|false)$/i]],
    fixed: ['no', 'yes'],
    counts: 0,
  },
  {
    name: 'BoolQ of SuperGLUE',
    has: ['question', 'passage', 'idx', 'label'],
    cluster: 'passage',
    fixed: ['no', 'yes'],
    counts: 0,
  },
  {
    name: 'PubMedQA',
    has: ['pubid', 'question', 'context', 'final_decision'],
    id: 'pubid',
    context: 'context.contexts',
    fixed: ['yes', 'no', 'maybe'],
    answer: 'final_decision',
  },
  {
    name: 'ReClor',
    has: ['context', 'question', 'answers', 'label'],
    cluster: 'context',
    choices: 'answers',
    answer: 'label',
    counts: 0,
  },
  {
    name: 'LogiQA',
    has: ['context', 'query', 'options', 'correct_option'],
    cluster: 'context',
    answer: 'correct_option',
    counts: 0,
  },
  {
    name: 'LogiQA',
    has: ['context', 'question', 'options', 'label'],
    cluster: 'context',
  },
  {
    name: 'LogiQA 2',
    has: ['text', 'question', 'options', 'answer', 'type'],
    cluster: 'text',
    context: 'text',
    counts: 0,
  },
  {
    name: 'LongBench v2',
    has: ['_id', 'domain', 'sub_domain', 'question', 'choice_A', 'context'],
    cluster: 'context',
    group: 'domain',
  },
  {
    name: 'CyberMetric',
    has: ['question', 'answers', 'solution'],
    choices: 'answers',
    answer: 'solution',
  },
  {
    name: 'StoryCloze',
    has: ['input_sentence_1', 'sentence_quiz1', 'answer_right_ending'],
    id: 'story_id',
    context: STORY,
    asks: STORY_QUESTION,
    choices: 'sentence_quiz*',
    answer: 'answer_right_ending',
    counts: 1,
  },
  {
    name: 'StoryCloze',
    has: ['InputSentence1', 'RandomFifthSentenceQuiz1', 'AnswerRightEnding'],
    id: 'InputStoryid',
    context: STORY,
    asks: STORY_QUESTION,
    choices: 'RandomFifthSentenceQuiz*',
    answer: 'AnswerRightEnding',
    counts: 1,
  },
  {
    name: 'MathQA',
    has: ['Problem', 'options', 'correct', 'annotated_formula'],
  },
  {
    name: 'DROP',
    has: ['query_id', 'passage', 'question', 'answers_spans'],
    cluster: 'passage',
    id: 'query_id',
    answer: 'answers_spans.spans',
  },
  {
    name: 'GSM8K',
    has: ['question', 'answer'],
    like: [['answer', /\n#### \S/]],
    after: '####',
  },
  {
    // Its questions are as people typed them into a search box.
    name: 'NQ-open',
    has: ['question', 'answer'],
    like: [
      ['question', /^(?!\[)[^A-Z?]*$/],
      ['answer', LIST],
    ],
    exact: ['answer', LIST],
    accepts: 'any',
  },
  {
    name: 'NQ-open',
    has: ['question', 'answer'],
    like: [['answer', LIST]],
    exact: ['answer', LIST],
    of: 'gaia',
    accepts: 'any',
  },
  {
    name: 'NQ-open',
    has: ['question', 'answers'],
    like: [['answers', LIST]],
    exact: ['answers', LIST],
    of: 'gaia',
    accepts: 'any',
  },
  {
    name: 'TriviaQA',
    has: ['question', 'answer.value', 'answer.aliases'],
    answer: ['answer.value', 'answer.aliases', 'answer.normalized_aliases'],
    accepts: 'any',
  },
  {
    name: 'PopQA',
    has: ['question', 'possible_answers', 'subj', 'prop', 'obj'],
    answer: 'possible_answers',
    accepts: 'any',
    group: 'prop',
  },
  {
    name: 'WebQuestions',
    has: ['url', 'question', 'answers'],
    like: [['answers', LIST]],
    answer: 'answers',
    accepts: 'any',
  },
  {
    name: 'SQuAD',
    has: ['context', 'question', 'answers.text', 'answers.answer_start'],
    cluster: 'context',
    answer: 'answers.text',
    accepts: 'any',
  },
  {
    name: 'EVOUNA',
    has: ['question', 'golden_answer', 'improper'],
    answer: 'golden_answer',
    accepts: 'any',
    alternatives: '/',
  },
  {
    name: 'SimpleQA',
    has: ['metadata', 'problem', 'answer'],
    like: [['metadata', /^\s*\{/]],
  },
  {
    name: 'MATH',
    has: ['problem', 'solution', 'answer'],
    group: ['subject', 'type'],
  },
  {
    name: 'SVAMP',
    has: ['Body', 'Question', 'Equation', 'Answer'],
    group: 'Type',
  },
  {
    name: 'Alpaca',
    has: ['instruction', 'output'],
    without: ['question', 'answer', 'target', 'label', 'expected'],
    input: 'instruction',
    context: 'input',
    answer: 'output',
  },
  {
    name: 'Instruction and input',
    has: ['instruction', 'input'],
    without: ['question'],
    input: 'instruction',
    context: 'input',
  },
  {
    name: 'BBEH',
    has: ['input', 'target', 'task', 'mini'],
    inside: true,
    group: 'task',
  },
  {
    name: 'BBH',
    has: ['input', 'target'],
    like: [['target', /^\([A-Z]\)$/]],
    inside: true,
  },
  {
    name: 'MMLU without a header row',
    has: ['column 1', 'column 6'],
    input: 'column 1',
    choices: ['column 2', 'column 3', 'column 4', 'column 5'],
    answer: 'column 6',
  },
  {
    name: 'MMLU',
    has: ['question', 'subject', 'choices', 'answer'],
    like: [['answer', /^[0-3]$/]],
    exact: ['answer', /^0$/],
    counts: 0,
  },
];

/** The spellings of each field. The preferred one comes first. */
export const SPELLINGS = {
  id: IDS,
  input: INPUTS,
  context: [
    'case context',
    'context',
    'passage',
    'vignette',
    'article',
    'narrative',
    'story',
    'hint',
    'paragraph',
    'paragraphs',
    'premise',
    'background description',
    'dialogue',
    'document',
    'flores passage',
    'body',
    'background',
    'reading passage',
    'clinical vignette',
    'case vignette',
    'patient case',
    'clinical case',
    'case presentation',
    'case description',
  ],
  images: ['decoded image', 'image', 'images', 'picture', 'pictures', 'figure', 'image *'],
  attachments: ['attachments', 'attachment', 'file name', 'file', 'files'],
  multiple: ['answer type', 'question type', 'choice type', 'multiple', 'multi select', 'type'],
  choices: OPTIONS,
  right: ['correct answer', 'right answer', 'best answer', 'ideal'],
  wrong: [
    'incorrect answers',
    'wrong answers',
    'distractors',
    'incorrect answer *',
    'wrong answer *',
    'distractor *',
  ],
  answer: TARGETS,
  group: ['group', 'subject', 'subject name', 'category', 'topic', 'high level domain', 'level'],
} as const;

/** Names that are used where no preferred one is there. */
export const SECOND_SPELLINGS = {
  input: SECOND_INPUTS,
  answer: SECOND_TARGETS,
} as const;

const ASKED = [...SPELLINGS.input, ...SECOND_SPELLINGS.input, 'turns', 'goal'];

/** Records that have the fields of a question in one field. */
export const WRAPPERS: readonly Readonly<{
  name: string;
  within: string;
  /** Fields that such records do not have. */
  without: readonly string[];
}>[] = Object.entries(WRAPPER_FIELDS).map(([within, name]) => ({ name, within, without: ASKED }));

const CLEAR_ANSWERS: ReadonlySet<string> = new Set(SPELLINGS.answer.map(plainName));

/** Whether a field of this name often contains something other than an answer. */
export function mayMislead(name: string): boolean {
  return !CLEAR_ANSWERS.has(plainName(name));
}
