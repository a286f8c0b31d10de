/** A one-pixel PNG. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a record of a public dataset must become. */
export type LayoutCase = {
  /** The name of the dataset in notes; "Usual names" where these suffice. */
  readonly shape: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** What the agent is asked, without options. */
  readonly input: string;
  readonly options: readonly string[];
  /** The text of the right option. */
  readonly right: string;
  readonly group?: string;
  readonly id?: string;
  readonly attachments?: readonly string[];
};

const story = 'Ada left the key under the mat. Bo moved it to the drawer while she was out.';
const question = 'Where will Ada look for the key?';
const inStory = `${story}\n\n${question}`;
const PLACES = ['under the mat', 'in the drawer', 'on the table', 'in the shed'];
const [A, B, C, D] = PLACES;
const python = `['${PLACES.join("', '")}']`;
const COMMON = { input: question, options: PLACES, right: 'in the drawer' };

const query = `Q: ${question} Answer Choices: (A) ${A} (B) ${B} (C) ${C} (D) ${D}\nA: Among A through D, the answer is`;
const withChoices = `${question}\nAnswer Choices: (A) ${A} (B) ${B} (C) ${C} (D) ${D}`;
const withLines = `${question}\n\nAnswer Choices:\nA. ${A}\nB. ${B}\nC. ${C}`;
const include = {
  language: 'Greek',
  domain: 'Arts',
  subject: 'History',
  regional_feature: 'agnostic',
  level: 'Academic',
  question,
};
/** The options as columns, each named by the prefix and one of the ends. */
const columns = (prefix: string, ends: string) =>
  Object.fromEntries(PLACES.map((place, index) => [prefix + ends[index], place]));

const inside = `${question}\nOptions:\n(A) ${A}\n(B) ${B}\n(C) ${C}`;

/** By the name of the dataset, and of its shape unless said; what most of them have is left out. */
const CASES: Readonly<Record<string, Pick<LayoutCase, 'record'> & Partial<LayoutCase>>> = {
  MuSR: {
    record: { narrative: story, question, choices: python, answer_index: 1, answer_choice: B },
    input: inStory,
  },
  RACE: {
    record: { example_id: 'high1.txt', article: story, question, options: PLACES, answer: 'B' },
    input: inStory,
  },
  ScienceQA: {
    record: {
      image: { bytes: PIXEL.split(',')[1], path: null },
      question,
      choices: PLACES,
      answer: 1,
      hint: story,
      subject: 'natural science',
      topic: 'physics',
      category: 'Optics',
      lecture: 'A key is a tool.',
      solution: 'She looks there.',
    },
    input: inStory,
    group: 'natural science',
    attachments: ['image.png'],
  },
  'MMMU-Pro': {
    record: {
      id: 'test_Art_1',
      question: 'Where in <image 1> is the key?',
      options: python,
      image_1: PIXEL,
      answer: 'B',
      subject: 'Art',
    },
    input: 'Where in <image 1> is the key?',
    group: 'Art',
    id: 'test_Art_1',
    attachments: ['image_1.png'],
  },
  'MMMU-Pro vision': {
    record: { id: 'v1', image: PIXEL, options: python, answer: 'B', subject: 'Art' },
    input: 'Answer the multiple-choice question in the picture.',
    attachments: ['image.png'],
  },
  MMMU: {
    record: {
      id: 'validation_Art_1',
      question: 'Where in <image 1> is the key?',
      options: python,
      image_1: PIXEL,
      answer: 'B',
      question_type: 'multiple-choice',
      subfield: 'Drawing',
    },
    input: 'Where in <image 1> is the key?',
    group: 'Drawing',
    attachments: ['image_1.png'],
  },
  MedXpertQA: {
    record: {
      id: 'Text-0',
      question: withChoices,
      options: { A, B, C, D },
      label: 'B',
      medical_task: 'Diagnosis',
      body_system: 'Skeletal',
      question_type: 'Reasoning',
    },
    input: withChoices,
    group: 'Diagnosis',
    id: 'Text-0',
  },
  CareQA: {
    record: {
      exam_id: 1,
      question,
      ...columns('op', '1234'),
      cop: 2,
      category: 'Nursing',
      unique_id: 'u1',
    },
    group: 'Nursing',
    id: 'u1',
  },
  SuperGPQA: {
    record: {
      uuid: 'u-1',
      question,
      options: PLACES,
      answer: B,
      answer_letter: 'B',
      discipline: 'Law',
      field: 'Law',
      subfield: 'Civil law',
    },
    group: 'Law',
    id: 'u-1',
  },
  'MMLU-Redux': {
    record: {
      question,
      choices: PLACES,
      answer: 1,
      error_type: 'ok',
      correct_answer: null,
    },
  },
  INCLUDE: {
    record: {
      ...include,
      ...columns('option_', 'abcd'),
      answer: 1,
    },
    group: 'History',
  },
  'INCLUDE with a list': {
    shape: 'INCLUDE',
    record: {
      ...include,
      choices: PLACES,
      answer: 1,
    },
    group: 'History',
  },
  KMMLU: {
    record: { question, answer: 2, A, B, C, D, Category: 'Law', 'Human Accuracy': 0.4 },
    group: 'Law',
  },
  KorMedMCQA: {
    record: {
      subject: 'doctor',
      year: 2020,
      q_number: 7,
      question,
      A,
      B,
      C,
      D,
      E: 'nowhere',
      answer: 2,
    },
    options: [...PLACES, 'nowhere'],
    group: 'doctor',
  },
  'MMLU-ProX': {
    record: {
      question_id: 7,
      question,
      ...columns('option_', '0123'),
      option_4: null,
      answer: 'B',
      answer_index: 1,
      category: 'law',
      src: 'x',
      question_id_src: 3,
    },
    group: 'law',
    id: '7',
  },
  'Global-MMLU': {
    record: {
      sample_id: 'law/test/1',
      subject: 'law',
      subject_category: 'Social Sciences',
      question,
      ...columns('option_', 'abcd'),
      answer: 'B',
    },
    group: 'law',
    id: 'law/test/1',
  },
  HeadQA: {
    record: {
      name: 'Cuaderno_2013_1_B',
      category: 'biology',
      qid: '1',
      qtext: question,
      ra: 2,
      image: null,
      answers: PLACES.map((atext, index) => ({ aid: index + 1, atext })),
    },
    group: 'biology',
    id: 'Cuaderno_2013_1_B-1',
  },
  'LAB-Bench': {
    record: {
      id: 'l1',
      question,
      ideal: B,
      distractors: [A, C, D],
      subtask: 'litqa',
    },
    id: 'l1',
    group: 'litqa',
  },
  'LAB-Bench ProtocolQA': {
    shape: 'LAB-Bench',
    record: { id: 'l2', question, ideal: B, distractors: [A, C, D], protocol: story },
    input: inStory,
  },
  OpenBookQA: {
    record: {
      id: 'o1',
      question_stem: question,
      choices: { text: PLACES, label: ['A', 'B', 'C', 'D'] },
      answerKey: 'B',
    },
    id: 'o1',
  },
  WinoGrande: {
    record: { sentence: 'The key is in the _ .', option1: 'mat', option2: 'drawer', answer: '2' },
    input: 'The key is in the _ .',
    options: ['mat', 'drawer'],
    right: 'drawer',
  },
  HellaSwag: {
    record: {
      activity_label: 'Keys',
      ctx: 'Ada comes home. she',
      endings: PLACES,
      label: '1',
    },
    input: 'Ada comes home. she',
    group: 'Keys',
  },
  PIQA: {
    record: { goal: 'Find the key.', sol1: 'Look away.', sol2: 'Look around.', label: 1 },
    input: 'Find the key.',
    options: ['Look away.', 'Look around.'],
    right: 'Look around.',
  },
  Belebele: {
    record: {
      link: 'https://en.wikibooks.org/wiki/Keys',
      question_number: 2,
      flores_passage: story,
      question,
      ...columns('mc_answer', '1234'),
      correct_answer_num: '2',
      dialect: 'eng_Latn',
    },
    input: inStory,
    group: 'eng_Latn',
  },
  AGIEval: {
    record: {
      passage: story,
      question,
      options: PLACES.map((p, i) => `(${'ABCD'[i]})${p}`),
      label: 'B',
      answer: null,
    },
    input: inStory,
  },
  'AGIEval on the Hub': {
    shape: 'AGIEval',
    record: {
      query,
      choices: PLACES.map((p, i) => `(${'ABCD'[i]})${p}`),
      gold: [1],
    },
    input: query,
  },
  CupCase: {
    record: {
      clean_case_presentation: story,
      correct_diagnosis: B,
      distractor1: A,
      distractor2: C,
      distractor3: D,
    },
    input: `${story}\n\nWhat is the most likely diagnosis?`,
  },
  BoolQ: {
    record: { question: 'did ada find it', answer: true, passage: story },
    input: `${story}\n\ndid ada find it`,
    options: ['no', 'yes'],
    right: 'yes',
  },
  'BoolQ of SuperGLUE': {
    record: { question: 'did ada find it', passage: story, idx: 3, label: 0 },
    input: `${story}\n\ndid ada find it`,
    options: ['no', 'yes'],
    right: 'no',
  },
  PubMedQA: {
    record: {
      pubid: 21645374,
      question: 'Does it work?',
      context: { contexts: [story, 'It did.'] },
      long_answer: 'It seems so.',
      final_decision: 'maybe',
    },
    input: `${story}\n\nIt did.\n\nDoes it work?`,
    options: ['yes', 'no', 'maybe'],
    right: 'maybe',
    id: '21645374',
  },
  'PubMedQA as bigbio': {
    shape: 'Usual names',
    record: {
      id: '1',
      question_id: '1',
      document_id: '1',
      question: 'Does it work?',
      type: 'yesno',
      choices: ['yes', 'no', 'maybe'],
      context: story,
      answer: ['no'],
    },
    input: `${story}\n\nDoes it work?`,
    options: ['yes', 'no', 'maybe'],
    right: 'no',
  },
  SIQA: {
    record: { context: story, question, answerA: A, answerB: B, answerC: C, label: '2' },
    input: inStory,
    options: PLACES.slice(0, 3),
  },
  LogiQA: {
    record: { label: 'b', context: story, question, options: PLACES },
    input: inStory,
  },
  'LogiQA with an index': {
    shape: 'LogiQA',
    record: { context: story, query: question, options: PLACES, correct_option: 1 },
    input: inStory,
  },
  'LogiQA 2': {
    record: { id: 10, answer: 1, text: story, type: {}, question, options: PLACES },
    input: inStory,
    id: '10',
  },
  'LongBench v2': {
    record: {
      _id: 'x1',
      domain: 'Single-Document QA',
      sub_domain: 'Detective',
      question,
      ...columns('choice_', 'ABCD'),
      answer: 'B',
      context: story,
    },
    input: inStory,
    group: 'Single-Document QA',
    id: 'x1',
  },
  BBH: {
    record: { input: inside, target: '(B)' },
    input: inside,
    options: PLACES.slice(0, 3),
  },
  BBEH: {
    record: { input: inside, target: '(B)', task: 'keys', mini: 0 },
    input: inside,
    options: PLACES.slice(0, 3),
    group: 'keys',
  },
  HLE: {
    record: {
      id: 'h1',
      question: withLines,
      image: PIXEL,
      answer: 'B',
      answer_type: 'multipleChoice',
      rationale: 'Because.',
      category: 'Other',
    },
    input: withLines,
    options: PLACES.slice(0, 3),
    group: 'Other',
    id: 'h1',
    attachments: ['image.png'],
  },
  QuALITY: {
    record: { article: story, question, options: PLACES, gold_label: 2 },
    input: inStory,
  },
  COPA: {
    record: {
      premise: 'Ada smiled.',
      choice1: 'She found it.',
      choice2: 'She lost it.',
      question: 'cause',
      idx: 1,
      label: 0,
    },
    input: 'Ada smiled.\n\ncause',
    options: ['She found it.', 'She lost it.'],
    right: 'She found it.',
  },
  CosmosQA: {
    shape: 'Usual names',
    record: {
      id: 'c1',
      context: story,
      question,
      ...columns('answer', '0123'),
      label: 1,
    },
    input: inStory,
    id: 'c1',
  },
  'MedQA of bigbio': {
    record: {
      meta_info: 'step1',
      question,
      answer_idx: 'B',
      answer: B,
      options: PLACES.map((value, index) => ({ key: 'ABCD'[index], value })),
    },
    shape: 'MedQA',
  },
  'MedQA as swag': {
    record: {
      id: 'm1',
      sent1: question,
      sent2: '',
      ...columns('ending', '0123'),
      label: 1,
    },
    id: 'm1',
  },
  SWAG: {
    record: {
      startphrase: `${question} She`,
      sent1: question,
      sent2: 'She',
      ...columns('ending', '0123'),
      label: 1,
    },
    input: `${question} She`,
  },
  ReClor: {
    record: { id_string: 'r1', context: story, question, answers: PLACES, label: 1 },
    input: inStory,
  },
  'COPA of KoBEST': {
    shape: 'Usual names',
    record: { premise: story, question, alternative_1: A, alternative_2: B, label: 'B' },
    input: inStory,
    options: PLACES.slice(0, 2),
  },
  'a question that lists its options': {
    shape: 'Usual names',
    record: { question: inside, answer: 'B' },
    input: inside,
    options: PLACES.slice(0, 3),
  },
  CMMLU: {
    shape: 'Usual names',
    record: { Question: question, A, B, C, D, Answer: 'B' },
  },
  ArabicMMLU: {
    shape: 'Usual names',
    record: {
      ID: 3,
      Subject: 'Law',
      Level: 'Primary',
      Question: question,
      ...columns('Option ', '1234'),
      'Answer Key': 'B',
    },
    group: 'Law',
    id: '3',
  },
  QASC: {
    record: {
      id: 'q1',
      question,
      choices: { text: PLACES, label: ['A', 'B', 'C', 'D'] },
      answerKey: 'B',
      combinedfact: 'z',
    },
    id: 'q1',
  },
  StoryCloze: {
    record: {
      story_id: 's1',
      ...columns('input_sentence_', '1234'),
      sentence_quiz1: 'He left.',
      sentence_quiz2: 'She found it.',
      answer_right_ending: 2,
    },
    input: [...PLACES, 'Which sentence ends the story?'].join('\n\n'),
    options: ['He left.', 'She found it.'],
    right: 'She found it.',
    id: 's1',
  },
  'StoryCloze of its authors': {
    shape: 'StoryCloze',
    record: {
      InputStoryid: 's1',
      ...columns('InputSentence', '1234'),
      RandomFifthSentenceQuiz1: 'He left.',
      RandomFifthSentenceQuiz2: 'She found it.',
      AnswerRightEnding: 1,
    },
    input: [...PLACES, 'Which sentence ends the story?'].join('\n\n'),
    options: ['He left.', 'She found it.'],
    right: 'He left.',
    id: 's1',
  },
  MathQA: {
    record: {
      Problem: question,
      Rationale: 'It is there.',
      options: `a ) 38 , b ) ${B} , c ) 1,000 , d ) none of these`,
      correct: 'b',
      annotated_formula: 'add(n0,n1)',
      category: 'general',
    },
    options: ['38', 'in the drawer', '1,000', 'none of these'],
    group: 'general',
  },
  AQuA: {
    shape: 'Usual names',
    record: {
      question,
      options: PLACES.map((place, index) => `${'ABCD'[index]})${place}`),
      correct: 'B',
    },
  },
  'MMLU in German': {
    record: {
      question: 'Where?',
      choices: ['mat', 'drawer', 'table', 'shed'],
      answer: 1,
      question_de: question,
      choices_de: PLACES,
      answer_de: '{"question": "x"}',
    },
  },
  'ARC in German': {
    record: {
      id: 'a1',
      question: 'Where?',
      choices: { text: ['mat', 'drawer', 'table', 'shed'], label: ['A', 'B', 'C', 'D'] },
      answerKey: 'B',
      question_de: question,
      choices_de: { text: PLACES, label: ['A', 'B', 'C', 'D'] },
    },
    id: 'a1',
  },
  CyberMetric: {
    record: { question, answers: { A, B, C, D }, solution: 'B' },
  },
};

/**
 * Made-up records with the fields of public datasets, as their authors name them; some of those that
 * viva does not read are left out.
 */
export const LAYOUTS: readonly (readonly [name: string, LayoutCase])[] = Object.entries(CASES).map(
  ([name, own]) => [name, { shape: name, ...COMMON, ...own }],
);
