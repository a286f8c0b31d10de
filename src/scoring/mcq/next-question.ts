import { findAll } from '../../words/find-all.ts';
import type { Range } from '../../words/ranges.ts';
import { QUESTION_WORDS } from '../common-words.ts';
import { anyOf, behind } from './patterns.ts';
import { ownTextEnd, type Reading } from './tokens.ts';
import { ANSWER } from './words.ts';

/** What heads another question wherever it is: Chinese outputs often lose their line breaks. */
const ANYWHERE = anyOf(
  '(?<=[^\\p{L}\\p{N}]|[a-j])(?:问题|题目|试题|例题|問題|質問|질문) ?\\d{0,3} ?:',
  '请你?(?:回答|问)|以下(?:是|为)?(?:下|另)?一?道?[^。\\n]{0,6}题|下一(?:道?题|个问题)|第[一二三四五六七八九十\\d]{1,3}题|(?<![^\\s.])question ?:',
  // "。2、最长的河是( )A、"
  '(?<=[。;] ?)\\d{1,3}[、.] ?(?=[^\\n。]{2,200}(?:\\?|_{3}|\\( {0,4}\\)))',
);
/** What a question may begin with that is about a text. */
const CONTEXT_WORDS =
  'premise|hypothesis|passage|sentence(?: ?[1a])?|review|tweet|paragraph|article|前提|文章|句子|句子一';
const NEXT_QUESTION = new RegExp(
  [
    `\\n[ \\t]{0,8}(?:next )?(?:${QUESTION_WORDS}|instruction)[ \\t]{0,3}(?:\\d{0,4}[ \\t]{0,3}[:.)]|\\d{1,4}[ \\t]{0,8}\\n)`,
    `\\n[ \\t]{0,8}(?:${CONTEXT_WORDS})[ \\t]{0,3}[:：]`,
    `\\n[ \\t]{0,8}the following (?:is|are) [^\\n]{0,40}questions?`,
    // "13. Which of them is ...?", "2. 下列..."
    `\\n[ \\t]{0,4}\\d{1,3}[.)、] {0,3}(?=[^\\n]{4,300}(?:\\?|_{3}|\\( {0,4}\\)))`,
    ANYWHERE,
  ].join('|'),
  'giu',
);
/**
 * What announces the answer of another question: a word for "answer", or any short line such as
 * "Đáp án: B".
 */
const ITS_ANSWER = new RegExp(
  `(?<!\\p{L})${ANSWER}(?!\\p{L})|答案|答え|正解|正答|정답|답 ?:|\\n[ \\t]{0,4}[^\\n:]{2,40}: {0,3}\\(?[A-J]\\)?[.。]?[ \\t]{0,4}(?=\\n|$)`,
  'giu',
);
/** The first two options, each on a line of its own, or behind the question or each other. */
const ITS_OPTIONS =
  /(?<=(\n)[ \t]{0,4}|[?:)_。;] {0,3})\(?[AАa][.):、] ?(?=([^\n]{1,200}?)(?:\n\s{0,4}| |[;；。])\(?[BБВb][.):、])/gu;
/** The places after some text where another question may begin, in order. */
export function nextQuestions(reading: Reading): readonly number[] {
  const { text } = reading;
  const headed = [...findAll(text, NEXT_QUESTION)].map(({ index }) => index);
  return [...headed, ...nextLists(reading), ...reading.ends]
    .filter((at) => text.slice(0, at).trim() !== '')
    .sort((a, b) => a - b)
    .slice(0, MOST_PLACES);
}

const MOST_PLACES = 12;

/**
 * Where questions begin that nothing heads: a line, or the rest of one, with a new list of options
 * and an answer of its own below.
 */
function nextLists(reading: Reading): readonly number[] {
  const { text } = reading;
  const lists = [...findAll(text, ITS_OPTIONS)];
  if (lists.length === 0) return [];
  const answers = [...findAll(text, ITS_ANSWER)].map(({ index }) => index);
  let next = 0;
  return lists.flatMap(({ 1: line, 2: first = '', index, 0: label }) => {
    while ((answers[next] ?? Number.POSITIVE_INFINITY) <= index + label.length + first.length)
      next++;
    const isAnswered = (answers[next] ?? Number.POSITIVE_INFINITY) - index < LONGEST_LIST;
    if (!isAnswered || isOwn(reading, first)) return [];
    const before = text.slice(Math.max(0, index - LONGEST_QUESTION), index);
    const question = line === undefined ? before : before.trimEnd();
    const start = Math.max(
      question.lastIndexOf('\n'),
      ...(line === undefined ? [lastStop(question)] : []),
    );
    return start < 0 ? [] : [index - before.length + start];
  });
}

/**
 * The places where an output that has answered may ask another question with the options of its
 * own, such as yes and no. `lists` are its lists of these options.
 */
export function sameOptionQuestions({ text }: Reading, lists: readonly Range[]): readonly number[] {
  return lists.flatMap(([from, to]) => {
    const before = text.slice(0, from).replace(OPTIONS_HEADING, '').trimEnd();
    const lines = before.lastIndexOf('\n\n');
    const start = lines > 0 ? lines : before.lastIndexOf('\n');
    const question = before.slice(start);
    const isQuestion = question.length < LONGEST_QUESTION && !EXPLAINS.test(question);
    return start > 0 && isQuestion && ANSWER_BELOW.test(behind(text, to, 'clause')) ? [start] : [];
  });
}

const OPTIONS_HEADING = /\n[ \t]{0,4}\(?(?:options|choices|选项)\)?[ \t]{0,4}:?\s{0,4}$/iu;
const EXPLAINS =
  /(?<![a-z])(?:explanation|reasons?|because|let's|let me|wait|however|correct|actually|analysis|options?|choices?|check)(?![a-z])|解析|分析|因为|选项/iu;
const ANSWER_BELOW = new RegExp(`^\\s{0,4}(?:the )?(?:correct )?(?:${ANSWER}|答案)`, 'iu');

const LONGEST_QUESTION = 400;
const LONGEST_LIST = 2_000;

/** Where the last sentence of a line begins behind another. */
function lastStop(text: string): number {
  return text.replace(/[\s?:)_。;.]{1,9}$/u, '').search(/[.。!?][^.。!?\n]{3,}$/u) + 1 || -1;
}

/** Whether a line of an option says the text of the question's first option, or judges it. */
function isOwn({ question }: Reading, line: string): boolean {
  const [label = ''] = question.labels.ordered;
  return ownTextEnd(line, question, label, 0) !== null || VERDICT.test(line);
}

const VERDICT = /[✓✗]|(?<![a-z])(?:in)?correct|wrong|false|true|because|不|错|对|正确/iu;
