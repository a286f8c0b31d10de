import { parsePythonFloat } from '../python-float.ts';
import { readStringLiteral } from './string-literal.ts';

const CALL =
  /(?<![\w.])(?:submit|submit_?(?:final_?)?answer|final_?answer)\s{0,4}\(\s{0,8}(?:(?:final_)?answer\s{0,4}[=:]\s{0,4})?/gi;

/** Where a call that hands in an answer stands in a text, and what it hands in. */
export type SubmitCall = { readonly start: number; readonly read: () => string | null };

/** Calls such as `submit("...")` and `final_answer(42)`, in text order. `read` gives null for an unknown value. */
export function findSubmitCalls(text: string): SubmitCall[] {
  return Array.from(text.matchAll(CALL), (call) => ({
    start: call.index,
    read: () => readArgument(text, call.index + call[0].length),
  }));
}

// A variable or an expression says nothing about the answer: only a literal does.
function readArgument(text: string, start: number): string | null {
  const literal = readStringLiteral(text, start);
  if (literal !== null)
    return /^\s{0,8},?\s{0,8}\)/.test(text.slice(literal.end, literal.end + 20)) ? literal.value : null;
  const number = /^([^()\n]{1,100})\)/.exec(text.slice(start, start + 102))?.[1];
  return number === undefined || parsePythonFloat(number) === null ? null : number;
}
