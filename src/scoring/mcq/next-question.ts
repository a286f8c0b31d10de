import { ownTextEnd, type Reading } from './tokens.ts';
import { anyOf } from './words.ts';

/** What heads another question at the start of a line, before a colon or a number. */
const HEADING = anyOf(
  'next question|question|q|problem|human|user|instruction|exercise|task',
  'pregunta|pergunta|frage|domanda|вопрос|soal|pertanyaan|câu hỏi|soru|pytanie|vraag|प्रश्न|السؤال|سؤال',
  '问题|問題|质询|题目|題目|试题|例题|问|問|设问|設問|質問|질문|문제',
);
/** What heads another question wherever it is: Chinese outputs often lose their line breaks. */
const ANYWHERE = anyOf(
  '(?<=[^\\p{L}\\p{N}]|[a-j])(?:问题|题目|试题|例题|問題|質問|질문) ?\\d{0,3} ?:',
  '请你?(?:回答|问)|以下(?:是|为)?(?:下|另)?一?道?[^。\\n]{0,6}题|下一(?:道?题|个问题)|第[一二三四五六七八九十\\d]{1,3}题|(?<![^\\s.])question ?:',
);
const NEXT_QUESTION = new RegExp(
  [
    `\\n[ \\t]{0,8}(?:${HEADING}[ \\t]{0,3}\\d{0,4}[ \\t]{0,3}[:.)]|question \\d{1,4}[ \\t]{0,8}\\n)`,
    `\\n[ \\t]{0,8}the following (?:is|are) [^\\n]{0,40}questions?`,
    // "13. Which of them is ...?", "2. 下列..."
    `\\n[ \\t]{0,4}\\d{1,3}[.)、] {0,3}(?=[^\\n]{4,300}(?:\\?|_{3}|\\( {0,4}\\)))`,
    ANYWHERE,
  ].join('|'),
  'giu',
);
/** A new list of options with its own answer, below a question that nothing heads. */
const NEXT_LIST =
  /\n(?=[^\n]{1,300}\n[ \t]{0,4}\(?A[.):、] ?([^\n]{1,200})\n[ \t]{0,4}\(?B[.):、] ?[^\n]{1,200}\n(?:[ \t]{0,4}\(?[C-J][.):、] ?[^\n]{1,200}\n){0,8}\s{0,4}(?:the )?(?:correct )?(?:answer|正?确?答案))/giu;

/** The places after some text where another question may begin, in order. */
export function nextQuestions(reading: Reading): readonly number[] {
  const { text } = reading;
  const lists = [...text.matchAll(NEXT_LIST)].filter(({ 1: first = '' }) => !isOwn(reading, first));
  const places = [...text.matchAll(NEXT_QUESTION), ...lists].map(({ index }) => index);
  return [...places, ...reading.ends]
    .filter((at) => text.slice(0, at).trim() !== '')
    .sort((a, b) => a - b)
    .slice(0, MOST_PLACES);
}

const MOST_PLACES = 12;

/** Whether a line of an option says the text of the question's first option, or judges it. */
function isOwn({ question }: Reading, line: string): boolean {
  const [label = ''] = question.labels.ordered;
  return ownTextEnd(line, question, label, 0) !== null || VERDICT.test(line);
}

const VERDICT = /[✓✗]|(?<![a-z])(?:in)?correct|wrong|false|true|because|不|错|对|正确/iu;
