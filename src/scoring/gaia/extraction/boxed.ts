import { plainMath } from './plain-math.ts';

// An escaped brace or backslash is a token of its own, so that it opens and closes nothing.
const TOKEN = /\\f?boxed\s{0,4}\{|\\[\\{}]|[{}]/g;

type Box = { readonly start: number; readonly end: number };

/** Content of the last LaTeX `\boxed{...}` of a text that is closed and not blank; braces may nest. */
export function lastBox(text: string): string | null {
  // One pass with a stack: looking for the end of each box by itself is quadratic when many are never closed.
  const starts: number[] = [];
  let last: Box | null = null;
  for (const token of braces(text)) {
    if (token.kind === 'open') starts.push(token.at);
    else if (token.kind === 'brace') starts.push(-1);
    else last = later(text, last, { start: starts.pop() ?? -1, end: token.at });
  }
  return last === null ? null : plainMath(text.slice(last.start, last.end));
}

/** As a list of candidates, for the order in which shapes are tried. */
export function* boxedAnswers(text: string): Generator<string> {
  const box = lastBox(text);
  if (box !== null) yield box;
}

type Token = { readonly kind: 'open' | 'brace' | 'close'; readonly at: number };

function* braces(text: string): Generator<Token> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '}') yield { kind: 'close', at: index };
    else if (token === '{') yield { kind: 'brace', at: index };
    else if (token.length > 2) yield { kind: 'open', at: index + token.length };
  }
}

function later(text: string, last: Box | null, box: Box): Box | null {
  // A brace that opens no box is at -1, from where nothing is cut out.
  if (last !== null && box.start < last.start) return last;
  return text.slice(box.start, box.end).trim() === '' ? last : box;
}
