import type { ClaimValue } from './claims/claim.ts';
import { jsonConfidence } from './claims/json-values.ts';
import { clean } from './clean/clean.ts';
import { removeCourtesy } from './clean/courtesy.ts';
import { BOX_END, BOX_START } from './clean/markup.ts';
import { removeOptionEcho } from './clean/option-echo.ts';
import { labelOrdinals } from './clean/ordinals.ts';
import { removeThinking } from './clean/thinking.ts';
import { applyEdits, originalSpan, type TrackedText, track } from './clean/tracked-text.ts';
import { firstTurn } from './clean/turns.ts';
import { keepBothEnds } from './clean/window.ts';
import { type Decision, decide } from './decide.ts';
import type { ChoiceQuestion, Extraction } from './extraction.ts';
import { inOrder } from './labels.ts';
import { plainAnswer } from './plain-answer.ts';
import { type KnownQuestion, type Reading, toKnownQuestion, toReading } from './reading.ts';
import { steps } from './steps/index.ts';

const NEXT_QUESTION = /\n(?:next question|question|q|problem|human|user) ?\d{0,4} ?[:.)]/gu;

/**
 * Reads which options an output chooses. Rules only, no guess: where an output tells nothing, several things or that
 * nothing is right, `choices` is null and `state` says which. Never throws; work is bounded for outputs of any length.
 */
export function extractChoice(output: string, question: ChoiceQuestion): Extraction {
  const plain = plainAnswer(output, question);
  if (plain !== null) return plain;
  const known = toKnownQuestion(question);
  const { said: all, unfinished } = removeThinking(firstTurn(track(output)));
  const said = keepBothEnds(all);
  const confidence = jsonConfidence(said.text);
  const reading = readSaid(known, said);
  if (reading.text.trim() === '') {
    return {
      choices: null,
      how: unfinished ? 'unfinished thinking' : 'empty output',
      state: 'no_answer',
      span: null,
      confidence,
    };
  }
  const decision = beforeNextQuestion(reading) ?? decide(reading, steps);
  return { ...toExtraction(reading, decision), confidence };
}

function readSaid(known: KnownQuestion, said: TrackedText): Reading {
  let reading = toReading(known, said, labelOrdinals(clean(said), known));
  for (const remove of [removeOptionEcho, removeCourtesy]) {
    reading = toReading(known, said, remove(reading));
  }
  return reading;
}

/** Some models go on with a question of their own; what they answered before it counts, if they did. */
function beforeNextQuestion(reading: Reading): Decision | null {
  for (const next of reading.lower.matchAll(NEXT_QUESTION)) {
    const head = applyEdits(reading.cleaned, [{ start: next.index, end: reading.text.length, text: '' }]);
    if (head.text.trim() === '') continue;
    const firm = steps.filter((step) => step.weak !== true);
    const decision = decide(toReading(reading.question, head, head), firm);
    return decision?.claim.value.kind === 'labels' ? decision : null;
  }
  return null;
}

function toExtraction(reading: Reading, decision: Decision | null): Omit<Extraction, 'confidence'> {
  if (decision === null) return { choices: null, how: 'no answer found', state: 'no_answer', span: null };
  const { claim, step } = decision;
  const span = claim.span ?? originalSpan(reading.cleaned, ...unboxed(reading.text, claim.start, claim.end));
  return { ...toOutcome(reading.question, claim.value), how: step, span };
}

/** The marks around a box stand for the braces of the raw text, which are no part of the answer. */
function unboxed(text: string, start: number, end: number): readonly [number, number] {
  return [text[start] === BOX_START ? start + 1 : start, text[end - 1] === BOX_END ? end - 1 : end];
}

function toOutcome(question: KnownQuestion, value: ClaimValue): Pick<Extraction, 'choices' | 'state'> {
  switch (value.kind) {
    case 'labels':
      return { choices: inOrder(value.labels, question.labels.ordered), state: 'answered' };
    case 'all':
      return { choices: allChoices(question), state: 'answered' };
    case 'none':
      return question.noneLabel === null
        ? { choices: null, state: 'none_stated' }
        : { choices: [question.noneLabel], state: 'answered' };
    case 'refusal':
      return toRefusal((value.sort === 'unsure' ? question.unsureLabel : null) ?? question.declinedLabel);
    case 'nothing':
      return { choices: null, state: 'no_answer' };
    case 'hedge':
    case 'mismatch':
      return { choices: null, state: 'conflict' };
  }
}

/** An option that says "cannot be determined" or "refused" is what the agent has chosen. */
function toRefusal(label: string | null): Pick<Extraction, 'choices' | 'state'> {
  return label === null ? { choices: null, state: 'refusal' } : { choices: [label], state: 'answered' };
}

function allChoices({ labels, allLabel }: KnownQuestion): readonly string[] {
  if (allLabel !== null) return [allLabel];
  return labels.open ? ['ALL'] : labels.ordered;
}
