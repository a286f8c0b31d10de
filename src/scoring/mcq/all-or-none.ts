import { findAll } from '../../words/find-all.ts';
import { anyOf, behind, toPattern } from './patterns.ts';
import { type Claim, labelsClaim, labelsOf, type Reading } from './tokens.ts';
import { labelsAt, phraseAt } from './values.ts';

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
  return [...findAll(lower, PLACE)].flatMap(({ 0: lead, 1: except, 2: only, index }) => {
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

const NONE_PLACE =
  /(?<=^|[\n.!?,:;] {0,3}|(?:therefore|thus|so|hence|because|since|that|but|however|although|though),? |is |are )(?=none|neither|no |all |都不|以上|not (?:listed|among|available|given|provided|offered|one of|in the|an option|there))|(?<= )(?=do(?:es)?(?: not|n't) )/gu;
const OF_OPTIONS =
  /above|option|choice|answer|these|them|correct|listed|among|^(?:none|neither) of .*given|以上|都不/u;
const OF_OTHERS = /(?:of|in) (?:the |these |those )?(?:others?|remaining|rest)(?![a-z])/u;

/** "All of the above", "all are correct", but not "all are incorrect" nor "all four rivers". */
const ALL_SAID = new RegExp(
  `^(?:all|every|以上)(?!.*(?:incorrect|wrong|false|not|too|other))(?:.*${anyOf(
    'above|option|choice|answer|statement|correct|true|right|valid|of (?:them|these|those)',
    '[都皆全]',
  )}|[^a-z]*$)`,
  'su',
);

/** "None of the options is right", "it is not listed", "All of the above." */
export function noneStated(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  return [...findAll(lower, NONE_PLACE)].flatMap(({ index }) => {
    const claim = phraseAt(reading, index);
    if (claim === null || (claim.value.kind === 'all' && text.trim().length > 60)) return [];
    const statement = lower.slice(index, claim.end) + behind(lower, claim.end, 'label');
    const isOfOptions =
      claim.value.kind === 'none'
        ? OF_OPTIONS.test(statement) && !OF_OTHERS.test(statement)
        : ALL_SAID.test(statement);
    return isOfOptions ? [claim] : [];
  });
}
