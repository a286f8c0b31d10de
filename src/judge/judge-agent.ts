import { addSpent } from '../data/files/usage.ts';
import {
  type Agent,
  AgentError,
  type Answer,
  type AnswerContext,
  type Progress,
} from '../words/answer.ts';
import { isFields, omitNullish } from '../words/fields.ts';
import type { Json, Question } from '../words/sample.ts';
import { toText, tryOrUndefined } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';

/**
 * An agent as a judge: its answer is the JSON of a verdict. A reply that is none is asked for once
 * more.
 */
export function toJudge(agent: Agent): Agent {
  return { ...agent, answer: (question, context) => askForVerdict(agent, question, context) };
}

async function askForVerdict(
  agent: Agent,
  question: Question<Json>,
  context: AnswerContext,
): Promise<Answer> {
  const first = await agent.answer(question, context);
  const verdict = parseVerdict(toText(first.output ?? ''), question.prompt);
  if (verdict !== null) return { ...toSpent(first), output: JSON.stringify(verdict) };
  const onProgress = (progress: Progress) => context.onProgress?.(addSpent(first, progress));
  // Not a copy: reading the work folder makes it.
  const again: AnswerContext = Object.create(context, { onProgress: { value: onProgress } });
  const second = await askAgain(agent, question, again, first);
  const spent = addSpent(first, second);
  const reply = toText(second.output ?? '');
  const corrected = parseVerdict(reply, question.prompt);
  if (corrected !== null) return { ...spent, output: JSON.stringify(corrected) };
  const form = '{"reason": "...", "verdict": "pass", "fail" or "cannot_tell"}';
  const shown = JSON.stringify((reply || `no text (${second.reason ?? 'empty'})`).slice(0, 200));
  // The form comes first, since reports cut a message.
  const problem = `The judge's reply must be ${form}; twice it had no verdict of its own. It began: ${shown}`;
  throw new AgentError('bad_response', problem, { progress: spent });
}

async function askAgain(
  agent: Agent,
  question: Question<Json>,
  context: AnswerContext,
  first: Answer,
): Promise<Answer> {
  try {
    return await agent.answer(question, context);
  } catch (error) {
    throw error instanceof AgentError
      ? error.with({ progress: addSpent(first, error.progress) })
      : error;
  }
}

/**
 * What was used, without the conversation: the cache needs no second copy of the answer that was
 * judged.
 */
function toSpent({ model, usage, cost, costEstimated, steps, waitedMs }: Progress): Progress {
  return omitNullish({ model, usage, cost, costEstimated, steps, waitedMs });
}

const VERDICTS = ['pass', 'fail', 'cannot_tell'] as const;

/** What one judge says of an answer. */
export type ParsedVerdict = Readonly<{
  reason: string;
  verdict: (typeof VERDICTS)[number];
}>;

/**
 * Reads the reply of a judge: a JSON object with a reason and a verdict, which may be inside other
 * text. What the judge thinks, what it repeats from its `prompt`, in whatever spelling, and the
 * form of a verdict are not its own word. Null if it has none, if two disagree, or if it passes and
 * the text after it speaks of a fail.
 */
export function parseVerdict(reply: string, prompt = ''): ParsedVerdict | null {
  const text = withoutThoughts(reply);
  const shown = squash(prompt);
  const found = listObjects(text).flatMap(({ json, end }) => {
    const read = readVerdict(json);
    return read === null || isShown(read, shown) ? [] : [{ ...read, rest: text.slice(end) }];
  });
  const last = found.at(-1);
  if (last === undefined || found.some(({ verdict }) => verdict !== last.verdict)) return null;
  const { rest, ...verdict } = last;
  const isTakenBack = /\b(?:fail(?:s|ed)?|cannot_tell)\b/i.test(rest.replaceAll(QUOTES, ' '));
  return isTakenBack && verdict.verdict === 'pass' ? null : verdict;
}

/** Quoted words, and JSON: they may be those of the answer. */
const QUOTES = /"[^"\n]*"|`[^`]*`|“[^”]*”|\{[^{}]*\}/g;

/**
 * Whether the prompt contains this verdict, or has no other reason in the form that it asks for.
 */
function isShown({ reason, verdict }: ParsedVerdict, shown: string): boolean {
  const why = squash(reason);
  return (
    ['', 'why'].includes(why) ||
    shown.includes(`reason${why}verdict${squash(verdict)}`) ||
    shown.includes(`verdict${squash(verdict)}reason${why}`)
  );
}

/** The letters and digits of a text, also of those that JSON escapes. */
function squash(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\[nrt]|[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

/** A verdict in JSON; null for other JSON. */
function readVerdict(json: string): ParsedVerdict | null {
  const value = tryOrUndefined((): unknown => JSON.parse(json));
  if (!isFields(value)) return null;
  const { reason, verdict: stated } = value;
  const name = String(stated).trim().toLowerCase().replaceAll(/[ -]/g, '_');
  const verdict = VERDICTS.find((one) => one === name);
  if (typeof reason !== 'string' || reason.trim() === '' || verdict === undefined) return null;
  return { reason: reason.trim(), verdict };
}

/**
 * The longest reply to search, and the most braces in it from its end: a verdict is short, and
 * comes last.
 */
const MAX_LENGTH = 50_000;
const MAX_BRACES = 200;

/**
 * The JSON objects in a text, the outermost of each. Other braces, which may never close, do not
 * count.
 */
function listObjects(text: string): readonly Readonly<{ json: string; end: number }>[] {
  if (text.length > MAX_LENGTH) return [];
  const found: Readonly<{ json: string; end: number }>[] = [];
  for (const { index } of [...text.matchAll(/\{/g)].slice(-MAX_BRACES)) {
    const end = index < (found.at(-1)?.end ?? 0) ? null : findEnd(text, index);
    const json = text.slice(index, end ?? index);
    if (end !== null && tryOrUndefined((): unknown => JSON.parse(json)) !== undefined)
      found.push({ json, end });
  }
  return found;
}

/**
 * Where the brace at `start` closes; braces inside JSON's texts do not count. Null if it never
 * does.
 */
function findEnd(text: string, start: number): number | null {
  let [depth, isText] = [0, false];
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isText && character === '\\') at++;
    else if (character === '"') isText = !isText;
    else if (!isText && character === '{') depth++;
    else if (!isText && character === '}' && --depth === 0) return at + 1;
  }
  return null;
}
