import { matchers } from '../matchers/index.ts';
import { quote, showPath, showValue } from '../text/show.ts';
import { nearest } from '../text/wording.ts';
import type { EvalDefinition } from './suite.ts';

/** What each option of `defineEval` may be, for JavaScript and for types that were cast. */
const ALLOWED: Readonly<Record<keyof EvalDefinition, readonly string[]>> = {
  data: ['object', 'string', 'function'],
  map: ['function'],
  group: ['function'],
  prompt: ['string'],
  agent: ['function', 'object'],
  predictions: ['string'],
  extract: ['function'],
  score: ['function'],
  matcher: ['string'],
  timeoutSeconds: ['number', 'function'],
  public: ['boolean'],
  levels: ['boolean'],
  exports: ['object'],
};

/** Throws where a definition cannot be used, with its file and what to do. */
export function checkDefinition(suite: unknown, definition: unknown, file: string): void {
  const refuse = (problem: string) => new Error(`${showPath(file)}: ${problem}`);
  if (typeof suite !== 'string' || typeof definition !== 'object' || definition === null) {
    throw refuse(
      `defineEval takes a name and a definition, got ${showValue(suite)}. Write defineEval('name', { ... }).`,
    );
  }
  // It names folders and files.
  if (!/^\w[\w.-]{0,59}$/.test(suite)) {
    const allowed = 'a letter, a digit or "_", then up to 59 more of these, "." and "-"';
    throw refuse(`the name of a suite is ${allowed}; got ${quote(suite)}.`);
  }
  for (const [name, value] of Object.entries(definition)) {
    const types: readonly string[] | undefined = Object.entries(ALLOWED).find(([known]) => known === name)?.[1];
    if (types === undefined) {
      throw refuse(
        `defineEval has no option ${quote(name)}. Did you mean ${quote(nearest(name, Object.keys(ALLOWED)))}?`,
      );
    }
    if (value !== undefined && !types.includes(typeof value)) {
      throw refuse(
        `${quote(name)} must be ${types.map((type) => NAMES[type] ?? type).join(' or ')}, got ${showValue(value)}.`,
      );
    }
  }
  const { matcher, score } = definition as EvalDefinition;
  if (matcher === undefined) return;
  const known = Object.keys(matchers);
  if (!known.includes(matcher)) throw refuse(`"matcher" must be one of ${known.join(', ')}, got ${quote(matcher)}.`);
  if (score !== undefined) return;
  throw refuse('"matcher" needs "score", which returns the grade that the matcher asserts with, such as gradeGaia\'s.');
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  function: 'a function',
  object: 'an object',
};
