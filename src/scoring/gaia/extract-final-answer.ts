import { dropThinking, ownWords } from '../own-words.ts';
import { dropLeadIn, markedAnswers, statedAnswers } from './announced-answer.ts';
import {
  boxedAnswers,
  embeddedJsonAnswers,
  findSubmitCalls,
  lastBox,
  taggedAnswers,
  unclosedTagAnswers,
  wholeJsonAnswer,
} from './answer-forms.ts';
import { isPlaceholder, tidyAnswer } from './tidy-answer.ts';

/**
 * Finds the final answer in an agent's output: answer tag, submit call, final answer marker, box, JSON, statement; else
 * the whole text up to 1,000 characters. `how` names the shape, "none" when there is no answer.
 */
export function extractFinalAnswer(output: string): { answer: string | null; how: string } {
  const { answer, how } = findAnswer(output);
  return { answer, how };
}

/** An answer and the shape in which it was found, or why there is none. */
export type FoundAnswer =
  | { readonly answer: string; readonly how: string }
  | { readonly answer: null; readonly how: 'none'; readonly reason: string };

type Candidate = { readonly how: string; readonly content: string };

/** A text without any shape is an answer as a whole up to this many characters. */
const MAX_WHOLE_LENGTH = 1000;
/** How many candidates of a text are looked at, so that thousands of empty markers cost no time. */
const MAX_CANDIDATES = 40;

/** Finds the final answer of an output. Shapes are tried from the most to the least explicit, the last one first. */
export function findAnswer(output: string): FoundAnswer {
  const { text, truncated } = dropThinking(ownWords(output));
  let reason: string | null = null;
  for (const { how, content } of take(candidates(text))) {
    const answer = refine(content);
    const lack = whyNoAnswer(answer);
    if (lack === null) return { answer, how };
    reason ??= lack;
  }
  if (reason === null && !truncated) return wholeText(text);
  return none(reason ?? 'truncated thinking');
}

function* candidates(text: string): Generator<Candidate> {
  const json = wholeJsonAnswer(text);
  if (json !== null) yield { how: 'json', content: json };
  yield* named('answer tag', taggedAnswers(text));
  yield* callsAndMarkers(text);
  yield* named('boxed', boxedAnswers(text));
  yield* named('json', embeddedJsonAnswers(text));
  yield* named('answer tag', unclosedTagAnswers(text));
  yield* named('answer statement', statedAnswers(text));
}

function* named(how: string, contents: Iterable<string>): Generator<Candidate> {
  for (const content of contents) yield { how, content };
}

// A call and a marker are equally explicit: the later one is the last word.
function* callsAndMarkers(text: string): Generator<Candidate> {
  const calls = findSubmitCalls(text);
  for (const { start, content } of markedAnswers(text)) {
    while ((calls.at(-1)?.start ?? -1) > start) yield* submitted(calls.pop());
    yield { how: 'final answer marker', content };
  }
  while (calls.length > 0) yield* submitted(calls.pop());
}

function* submitted(call: { read: () => string | null } | undefined): Generator<Candidate> {
  const content = call?.read() ?? null;
  if (content !== null) yield { how: 'submit call', content };
}

function refine(raw: string): string {
  const said = wholeJsonAnswer(raw) ?? raw;
  const marked = firstMarked(said) ?? said;
  return tidyAnswer(lastBox(marked) ?? dropLeadIn(marked.trim()));
}

function firstMarked(text: string): string | null {
  for (const { content } of take(markedAnswers(text))) if (content !== '') return content;
  return null;
}

function* take<T>(values: Iterable<T>): Generator<T> {
  let taken = 0;
  for (const value of values) {
    yield value;
    taken += 1;
    if (taken === MAX_CANDIDATES) return;
  }
}

function wholeText(text: string): FoundAnswer {
  const whole = text.trim();
  if (whole.length > 2 * MAX_WHOLE_LENGTH || [...whole].length > MAX_WHOLE_LENGTH) return none('no final answer');
  const answer = tidyAnswer(whole);
  const lack = whyNoAnswer(answer);
  return lack === null ? { answer, how: 'whole text' } : none(lack);
}

function whyNoAnswer(answer: string): string | null {
  if (answer === '') return 'empty';
  return isPlaceholder(answer) ? 'placeholder' : null;
}

function none(reason: string): FoundAnswer {
  return { answer: null, how: 'none', reason };
}
