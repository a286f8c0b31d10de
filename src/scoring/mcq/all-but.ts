import { type Claim, labelsClaim, labelsOf, type Reading } from './tokens.ts';
import { labelsAt } from './values.ts';
import { anyOf, toPattern } from './words.ts';

const EXCEPT = `(?:all|each|every(?:thing|one)?)(?: of)?(?: the| these| them| those)?(?: other)?(?: ${anyOf(
  'above|options?|choices?|answers?|statements?|items?|ones?',
)})?,? (?:except|but|save|apart from|other than|excluding|besides)(?: for)?|除了?`;
const ONLY = 'only|(?:只有|仅有?)';
const PLACE = toPattern(
  `(?:^|(?<=[.!?,;:\\n。][ \\n]{0,3}|(?:so|thus|therefore|hence|that),? ))(?:(${EXCEPT})|(${ONLY})|(?=[a-z]{1,9}[^。\\n]{0,20}其[余他它]))[ \\n]{0,3}`,
  'gu',
);

const RIGHT = '(?:correct|true|right|valid|正确|对|符合|成立)';
const WRONG = '(?:incorrect|wrong|false|invalid|not|不正确|不对|不符合|不成立|错误?|有误)';
/** "are wrong", "外,其余各项均错误" */
const ALL_WRONG = toPattern(`^[^.!?\\n。]{0,30}?${WRONG}`, 'u');
/** "选项错误,其余正确" */
const REST_RIGHT = toPattern(
  `^[^.!?\\n。]{0,6}${WRONG}[^.!?\\n。]{0,4}其[余他它][^.!?\\n。]{0,8}(?<!不)${RIGHT}`,
  'u',
);

/**
 * Where several may be right, all options but those named: "Every statement except C is true",
 * "Only B is wrong", "除C项外，其余均正确".
 */
export function allBut(reading: Reading): readonly Claim[] {
  const { lower, multiple, question } = reading;
  const { ordered } = question.labels;
  if (multiple !== true || question.labels.open) return [];
  return [...lower.matchAll(PLACE)].flatMap(({ 0: lead, 1: except, 2: only, index }) => {
    const named = labelsAt(reading, index + lead.length);
    const labels = named === null ? [] : labelsOf(named);
    if (named === null || labels.length === 0) return [];
    const after = lower.slice(named.end, named.end + LONGEST_REST);
    const rest = labelsClaim(
      ordered.filter((label) => !labels.includes(label)),
      index,
      named.end,
    );
    if (except !== undefined) return [ALL_WRONG.test(after) ? { ...named, start: index } : rest];
    const isRest = only === undefined ? REST_RIGHT.test(after) : ONLY_WRONG.test(after);
    return isRest ? [rest] : [];
  });
}

const LONGEST_REST = 60;
/** "are wrong", "不正确" */
const ONLY_WRONG = toPattern(`^[^\\p{L}\\n]{0,3}(?:选?项)?(?:is|are|是)? ?${WRONG}`, 'u');
