import { findAll } from '../../words/find-all.ts';

/** A formula between the signs of LaTeX: $...$, $$...$$, \(...\), \[...\]. */
const DELIMITED =
  /\$\$([^$]{1,2000})\$\$|(?<![\\$])\$([^$\n]{1,1000})\$|\\\(((?:(?!\\[()])[\s\S]){1,1000})\\\)|\\\[((?:(?!\\[[\]])[\s\S]){1,2000})\\\]/g;
/** Between formulas that are one answer: "$2$, $3$ and $5$". */
const JOINT = /^[\s,;]{0,9}(?:(?:and|or|und|oder|et|ou|y|и|或|和|及|、)[\s,]{0,4}(?:also )?)?$/;
const STATES =
  /(?:(?<!\p{L})(?:is|are|equals?|be|becomes?|get|gives?|have|obtain|find|yields?|ist|sind|lautet|lauten|est|sont|vaut|es|son|é|são|è|sono)|[=:：是为為])(?: (?:also|then|therefore|thus|simply|exactly|approximately|about|equal to|given by|the|all|only|just)){0,2}[\s*_]{0,6}$/iu;
const YES_OR_NO = /^\W{0,4}(yes|no|true|false)(?=[,.;:*]\W{0,3}\s)/i;

type Group = Readonly<{ start: number; end: number; content: string }>;

/**
 * The formula that a sentence states, as in "The value of $x$ is $\frac{3}{7}$.": the only one, or
 * the one behind the verb. Null where nothing tells it from others, or where there is none.
 */
export function statedFormula(sentence: string): string | null {
  const [, word] = YES_OR_NO.exec(sentence) ?? [];
  if (word !== undefined) return word;
  const text = sentence.trim().slice(-MAX_SENTENCE);
  const all = formulaGroups(text);
  if (all.length === 0) return undelimited(text);
  const groups = all.filter(({ start }) => !ASIDE.test(text.slice(Math.max(0, start - 60), start)));
  const stated = groups.filter(({ start }) =>
    STATES.test(text.slice(Math.max(0, start - 60), start)),
  );
  const values = groups.filter(({ content }) => !isName(content));
  const [chosen, ...others] = [stated, values].find((each) => each.length > 0) ?? groups;
  if (chosen === undefined || others.length > 0) return null;
  // "5 (from $x = 3$)" says 5.
  const isOnlyFormula = !/\d/.test(text.slice(0, chosen.start));
  return isOnlyFormula || stated.includes(chosen) || all.length > 1 ? chosen.content : null;
}

/** A condition or a place, not the result. */
const ASIDE =
  /(?<!\p{L})(?:(?:more|less|greater|fewer|larger|smaller|other) than|since|because|where|when|if|for|at|from|with|given|let|assuming)(?!\p{L})[^.,;:]{0,40}$|\([^()]{0,40}$/iu;

const MAX_SENTENCE = 2_000;

/** "x" and "f(x)" only name what a sentence speaks of. */
function isName(content: string): boolean {
  return /^\s*\\?[A-Za-z]{1,8}(?:_\{?\w{1,3}\}?)?(?:\([a-z]\))?\s*$/.test(content);
}

/** The formulas of a text; those that only commas and "and" join are one. */
function formulaGroups(text: string): readonly Group[] {
  const groups: Group[] = [];
  for (const { 0: all, index, ...match } of findAll(text, DELIMITED)) {
    const content = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
      .trim()
      .replace(/[.,;]$/, '');
    const end = index + all.length;
    const last = groups.at(-1);
    const isJoint = last !== undefined && JOINT.test(text.slice(last.end, index));
    if (isJoint)
      groups[groups.length - 1] = { ...last, end, content: `${last.content}, ${content}` };
    else groups.push({ start: index, end, content });
  }
  return groups;
}

/** What follows the verb in a sentence whose formula has no delimiters. */
function undelimited(sentence: string): string | null {
  const text = sentence.replace(/\\text ?\{([^{}]*)\}/g, ' $1 ').replace(/ {2,}/g, ' ');
  const verbs = [...findAll(text, VERB)];
  const last = verbs.at(-1);
  if (last === undefined) return LONE_EQUATION.exec(text)?.[1] ?? null;
  const rest = text.slice(last.index + last[0].length);
  const [clause = ''] = rest.split(TAIL_CLAUSE);
  const bare = clause.trim().replace(/[.*_]{1,4}$/, '');
  return bare === '' || verbs.length > 1 ? null : bare;
}

const VERB =
  /(?<=\p{L}|\)|\}) (?:is|are|equals|is equal to|ist|sind|lautet|est|sont|es|son|é|são|è|sono)(?: (?:therefore|thus|simply|exactly|approximately|about|equal to|given by)){0,2} /gu;
const TAIL_CLAUSE = /,? (?:since|because|where|when|at|for|as|if|which|so that|with)(?!\p{L})/iu;
/** "Hence f(x) = x^2 + 1." */
const LONE_EQUATION =
  /^(?:therefore|thus|hence|so|then|we (?:get|have|obtain|find|conclude)|it follows that)[, ] ?(?:we (?:get|have|obtain|find) )?(?:that )?([A-Za-z\\|(][^=.;:]{0,60}=[^=]{1,200}?)(?: is (?:the|our) [a-z ]{1,40})?[.]?$/i;
