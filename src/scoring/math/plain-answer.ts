/** What answers say in words, with the formula that means it. */
const WORDS: readonly (readonly [says: RegExp, formula: string])[] = [
  [
    /^(?:there (?:is|are) )?no (?:(?:real|integer|such|valid|positive|possible) )?(?:solutions?|roots?|values?|numbers?|x)(?: exists?)?$/,
    '\\emptyset ',
  ],
  [/^(?:the )?empty set$/, '\\emptyset '],
  [
    /^(?:all|any|every) (?:the )?real(?:s| numbers?| values?)?(?: (?:of )?x)?$|^x ?(?:is|can be) any real number$/,
    '(-\\infty ,\\infty )',
  ],
  [/^dne$|^(?:it )?does(?:n't| not) exist$/, '\\text{does not exist}'],
];

const BASES = 'two three four five six seven eight nine ten eleven twelve'.split(' ');
const BASE = new RegExp(
  String.raw`_ ?\{? ?(?:\\text ?\{ ?)?(${BASES.join('|')})(?![a-z]) ?\}? ?\}?`,
  'g',
);

/** "k \in \mathbb{Z}", "where n is an integer": what the name of a family of values stands for. */
const FAMILY =
  /[,;]? ?(?:\\text ?\{[^{}]{0,20}\})? ?\(?[a-z] ?\\in ?\\(?:mathbb|text|mathbf) ?\{?[ZN]\}?\)?$|[,;]? ?(?:\\text ?\{)? ?(?:where|for|with) [^{}]{0,30}integers?[^{}]{0,10}\}?$/;

/** An answer in one form as far as words, bases and remarks go. The text has plain spelling. */
export function toPlainAnswer(text: string): string {
  const bare = text
    .replace(/^(?:approximately|approx\.|about|roughly|exactly) /i, '')
    .replace(FAMILY, '')
    .replace(BASE, (_, name: string) => `_{${BASES.indexOf(name) + 2}}`)
    // "km" over "h" is one unit.
    .replace(
      /\\text ?\{([^{}]{1,12})\} ?\/ ?(?:\\text ?\{([^{}]{1,12})\}|([a-z])$)/g,
      '\\text{$1/$2$3}',
    )
    .replace(/(?<=[a-z]) ?\/ ?(?=[a-z]{1,4}$)/, '/')
    .replace(/(?<=\d)([A-F])(?=[\dA-F]{0,20}_)/gi, (digit) => digit.toUpperCase())
    .replace(/(?<=\d\.\d{0,9})\\dot ?\{?(\d)\}?$/, '\\overline{$1}');
  return toFormula(bare) ?? bare;
}

function toFormula(text: string): string | null {
  if (text.length > 60 || !/[A-Za-z]{3}/.test(text)) return null;
  const words = text
    .replace(/\\text ?\{([^{}]*)\}/g, '$1')
    .toLowerCase()
    .replace(/[.\s]{1,9}$/, '')
    .trim();
  return WORDS.find(([says]) => says.test(words))?.[1] ?? null;
}

/** The letter of a choice before its value, as in "\textbf{(D)}\ 25" and "(D) 25". */
const LABELLED =
  /^\s{0,9}(?:\\text[a-z]{0,6}\s?\{\s?)?\(\s?([A-E])\s?\)[\s~:.\\]{0,9}\}?[\s~:.\\]{0,9}([^\s,;)}][\s\S]*)$/;

/** The letter and the value of an answer that has both; null for any other. */
export function splitLabel(text: string): Readonly<{ label: string; value: string }> | null {
  const [, label, value] = LABELLED.exec(text) ?? [];
  return label === undefined || value === undefined ? null : { label, value };
}
