import { findAll } from '../../words/find-all.ts';
import { anyOf, matchAt, START, toPattern } from './patterns.ts';
import { type Claim, labelsClaim, labelsOf, type Reading, textAt, tokenAt } from './tokens.ts';
import { labelsAt } from './values.ts';

/** "not", "ce n'est pas", "não é", before what is denied. */
const DENIAL = toPattern(
  `${START}${anyOf('not|nicht|pas|no(?: es)?|não(?: é)?|non(?: è)?|niet|не')} `,
  'gu',
);
/** ", but", "; it is", before what is right. */
const INSTEAD = toPattern(
  `[)"']? ?${anyOf(
    ',? ?(?:but(?: rather)?|rather|sondern|mais(?: plutôt)?|sino|mas(?: sim)?|ma(?: bensì)?|bensì|maar|а)(?= )',
    ';|[,.]? (?=it.s |it is )',
  )} (?:it.s |it is )?`,
  'uy',
);
/** The contrast ends its sentence, or says itself that it is right. */
const END = toPattern(
  `[)"']{0,2} ?(?:[.!;,\\n]|$|(?:is|ist|est|es|é|è) (?:the )?(?:right|richtig|corre[ct]))`,
  'uy',
);
/** Of very many, only the last ones count. */
const MOST_PLACES = 100;

/** "Not A; B.", "Nicht A, sondern B ist richtig.", "It is not the Danube but the Rhine." */
export function contrasts(reading: Reading): readonly Claim[] {
  const { lower, multiple } = reading;
  return [...findAll(lower, DENIAL)].slice(-MOST_PLACES).flatMap(({ 0: denial, index }) => {
    const denied = deniedAt(reading, index + denial.length);
    const instead = denied === null ? null : matchAt(INSTEAD, lower, denied.end);
    if (denied === null || instead === null) return [];
    const right = optionsAt(reading, denied.end + instead[0].length);
    if (right === null || matchAt(END, lower, right.end) === null) return [];
    const isOther = labelsOf(right).every((label) => !labelsOf(denied).includes(label));
    const isFew = multiple === true || labelsOf(right).length === 1;
    return isOther && isFew ? { ...right, from: index } : [];
  });
}

const ARTICLE = toPattern("(?:[ao]|la|le|el|il|die|der|das) |l'", 'uy');

function deniedAt(reading: Reading, at: number): Claim | null {
  const start = at + articleAt(reading, at);
  const token = tokenAt(reading, at) ?? tokenAt(reading, start);
  return token === null
    ? textClaim(reading, start)
    : labelsClaim([token.label], token.start, token.end);
}

function optionsAt(reading: Reading, at: number): Claim | null {
  const start = at + articleAt(reading, at);
  const claim = labelsAt(reading, at) ?? labelsAt(reading, start);
  if (claim !== null) return labelsOf(claim).length > 0 ? claim : null;
  return textClaim(reading, start);
}

function articleAt({ lower }: Reading, at: number): number {
  return matchAt(ARTICLE, lower, at)?.[0].length ?? 0;
}

function textClaim(reading: Reading, at: number): Claim | null {
  const text = textAt(reading, at);
  return text === null ? null : labelsClaim([text.label], at, text.end);
}
