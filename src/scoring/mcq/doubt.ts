import { anyOf, before, behind, type Reach, toPattern } from './patterns.ts';
import { NOT } from './words.ts';

type Doubt = Readonly<{
  /** Where its words are: before or after the place that they doubt. */
  place: 'before' | 'after';
  reach: Reach;
  says: RegExp;
}>;

const ARTICLE = '(?: {0,2}(?:options?|choices?|both|the))? {0,2}';

/** What may take an answer back. Every form of answers names those that it heeds. */
const DOUBTS = {
  /** "This is not the answer:", "if the answer is", "I don't think that the answer is". */
  'announcement denied': {
    place: 'before',
    reach: 'label',
    says: new RegExp(
      [
        String.raw`\b(?:not|no|n't|incorrect|wrong|if|whether)\b[^.!?:\n]{0,5}$`,
        `(?:(?:not|n't|might|may|could) (?:think|believe|say|assume)|thought)(?: that)?(?: the)? {0,2}$`,
        String.raw`不$|\ball (?:of )?(?:the )?$`,
      ].join('|'),
      'u',
    ),
  },
  /** "not B", "whether B", "we eliminate B", "unlike B". */
  'option denied': {
    place: 'before',
    reach: 'clause',
    says: new RegExp(
      `${anyOf(
        "not|neither|nor|if|whether|why|n't|(?:not|n't|false|doubt|unclear|deny)[^.\\n]{0,12} that",
        'than|unlike|none of(?: the)?|incorrect|wrong',
        'eliminat\\w{1,4}|exclud\\w{1,4}|rul\\w{1,4} out',
      )}${ARTICLE}$`,
      'u',
    ),
  },
  /** "It could be B", "may well be B". */
  possible: { place: 'before', reach: 'clause', says: /(?:could|might|may|can)(?: [a-z]+)? $/u },
  /** "If it rains, the answer is B", but not "If we compare them, the answer is B". */
  conditional: {
    place: 'before',
    reach: 'sentence',
    says: /(?:^ {0,3}|[.!?\n,] {0,3}|however,? |but )if (?!i |we |forced |pressed |asked |required )[^.!?\n]{0,160}$/u,
  },
  /** "Without this hint, ..." */
  'without something': {
    place: 'before',
    reach: 'sentence',
    says: /(?:(?<![a-z])(?:without|otherwise)|(?:^|[.!?\n] {0,3})had(?! to))(?![a-z])[^.!?\n]{0,160}$/u,
  },
  /** "... if it rains" */
  'if something': {
    place: 'after',
    reach: 'sentence',
    says: /^[^.!?\n]{0,160} if (?!i |we )/u,
  },
  /** "Many think the answer is B", "at first glance, the answer is B", "the obvious answer is B". */
  "someone else's answer": {
    place: 'before',
    reach: 'sentence',
    says: toPattern(
      `(?<![\\p{L}])${anyOf(
        `${anyOf(
          'many|most|some|people|students?|everyone|everybody|others|you|one|they|users?|beginners?|readers?',
        )}(?: [a-z]+){0,3}? (?:think|assume|believe|say|claim|expect|guess|argue|answer|choose|conclude)s?`,
        '(?:misconception|mistake|error|myth)(?: is)?|(?:often|commonly|widely) (?:said|thought|believed|assumed)',
        'at first (?:glance|sight)|if (?:we|you|one) only [^.!?\\n,]{1,40}',
        'that comes? to mind|obvious|tempting|na[iï]ve|intuitive|initial|second(?:[ -]best)?|runner-up',
        '(?:earlier|previously|originally|initially|first),? i (?:wrote|said|thought|chose|answered)',
      )},?(?: that)?(?: the| it| my)? ?(?:[a-z]+ ){0,3}$`,
      'u',
    ),
  },
  /** "B if it rains", "B only if", "B, and A otherwise". */
  'only under a condition': {
    place: 'after',
    reach: 'clause',
    says: /^[)"'\]]{0,2}(?: \([^()\n]{0,40}\))?(?:,? (?:but )?(?:only )?(?:if|when|in case) (?!i |we |not[ ,])|,? (?:and|or) [a-z] otherwise)/u,
  },
  /** "students often choose", "it would be wrong to choose", "I first chose". */
  "not the writer's choice": {
    place: 'before',
    reach: 'clause',
    says: new RegExp(
      `(?:(?<![a-z])(?:${NOT}|unable|either|if(?! (?:i|we) (?:had|have|must|was|were|am)(?![a-z]))|wrong|mistake|tempt|first|initially|otherwise|who)|n't)[^.!?;:,\\n]*$`,
      'u',
    ),
  },
  /** "B is wrong", "B. Incorrect", "B is possible". */
  'option rejected': {
    place: 'after',
    reach: 'label',
    says: new RegExp(
      `^\\W{0,4}(?:incorrect|wrong|false|(?:is|are|would be) ${anyOf(
        'not|wrong|a mistake|incorrect|false|in|out|too|ruled|possible|plausible|unlikely',
        'eliminated|excluded|also|the (?:least|worst)',
      )})|^[^\\p{L}\\n]{0,4}(?:选?项)?(?:说法)?(?:是|は|이|가)? ?(?:不正确|不对|不符合|错误|错|有误|誤|正しくない|틀)`,
      'u',
    ),
  },
} as const satisfies Record<string, Doubt>;

export type DoubtName = keyof typeof DOUBTS;

/** Which of these doubts, if any, is on the answer between `start` and `end`. */
export function doubtOn(
  lower: string,
  { start, end }: Readonly<{ start: number; end: number }>,
  names: readonly DoubtName[],
): DoubtName | null {
  const isSaid = (name: DoubtName): boolean => {
    const { place, reach, says } = DOUBTS[name];
    return says.test(place === 'before' ? before(lower, start, reach) : behind(lower, end, reach));
  };
  return names.find(isSaid) ?? null;
}

/** "Without this hint, the answer would be B": `announcement` are its words. */
export function suppositionOn(lower: string, at: number, announcement: string): DoubtName | null {
  return /would|could|might/u.test(announcement)
    ? doubtOn(lower, { start: at, end: at }, ['conditional', 'without something', 'if something'])
    : null;
}

const NEGATIVE = anyOf(
  `${NOT}|incorrect|wrong|false|falsch|faux|fausse|fals[oa]|errad[oa]|sbagliat[oa]`,
  'неверн[а-я]{1,4}|неправильн[а-я]{1,4}|ошибочн[а-я]{1,4}',
);
/** In these languages no space sets words apart. */
const NEGATIVE_ANYWHERE = '不|错(?!误认识)|有误|誤|間違|ない|아니|않|없|틀[리렸]';
/** A sentence that says what is not. */
export const NEGATES = toPattern(`(?<![\\p{L}])${NEGATIVE}(?![\\p{L}])|${NEGATIVE_ANYWHERE}`, 'u');
/** A sentence that denies, compares or supposes, so that a label in it may be no answer. */
export const DOUBTS_SOMETHING = toPattern(
  `(?<![a-z])(?:${NEGATIVE}|${anyOf(
    'none(?! of the (?:other|rest))|example|while|would (?:have|need|be the case|require|only|imply|mean|give)|violates|fails|exclude|eliminate|reject',
    'whether|if|could|might|may',
  )})(?![a-z])|n't|${NEGATIVE_ANYWHERE}`,
  'u',
);
