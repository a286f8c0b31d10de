import { isFields } from '../../words/fields.ts';
import type { Message, Note } from '../../words/sample.ts';
import { lineIf, plural, toNotes, tryOrUndefined, wasCut } from '../../words/show.ts';
import { told } from '../../words/told.ts';
import {
  groupByTrace,
  type OtelSpan,
  operationOf,
  readAsked,
  readSpans,
} from './genai-attributes.ts';
import { type GenAiTrace, readGenAiTrace } from './genai-trace.ts';
import { readText } from './read-file.ts';
import { RecordError } from './record.ts';
import { findOutermost } from './span-tree.ts';

/** What a user asked an agent or a model, and what came of it. */
export type RecordedRequest = Readonly<{
  /** The id of its trace, with that of its first span where the trace has several requests. */
  id: string;
  /** The line of its first span. */
  line: number;
  /** Its outermost spans: one of an agent, or those of a model's calls and of the tools between. */
  roots: Roots;
  trace: GenAiTrace;
  /** What the user said, with the replies between. Several in a row are one. */
  messages: readonly Message[];
  /** Whether the recording has only a part of the output. */
  isCut: boolean;
}>;

type Roots = readonly [first: OtelSpan, ...others: OtelSpan[]];

/**
 * The requests in a file of traces as the OpenTelemetry collector's file exporter writes it, a JSON of
 * OTLP on each line. `notes` say what is left out. Throws a RecordError if no request is left.
 */
export function readRequests(file: string): Readonly<{
  requests: readonly RecordedRequest[];
  notes: readonly Note[];
}> {
  const { spans, lineOf, broken } = readLines(file);
  const traces = groupByTrace(spans).map(groupByRequest);
  const found = traces.flatMap((all) =>
    all.flatMap((group) => toRequest(group, all.length === 1, lineOf) ?? []),
  );
  const { whole = [], cut = [], silent = [] } = Object.groupBy(found, howWhole);
  const strange = traces.filter((groups) => groups.length === 0).length;
  const lost = [
    ...leftOut(broken.length, 'line', `not JSON of OTLP, such as line ${broken[0]}`),
    ...leftOut(strange, 'trace', 'no span of an agent or a model'),
    ...leftOut(silent.length, 'request', 'no words of the user are recorded'),
    ...leftOut(cut.length, 'request', 'the words of the user are cut'),
  ];
  const unread = describeFiles(whole.filter(hasFiles).length);
  if (whole.length > 0)
    return { requests: whole, notes: [...toNotes('left out', lost), ...toNotes('unread', unread)] };
  const [first] = spans;
  throw new RecordError({
    file,
    line: (first && lineOf.get(first)) ?? broken[0] ?? 1,
    problem: told`the file has no request that can be asked`,
    detail: lost.join(' '),
    remedy:
      'Write {"resourceSpans": [...]} on each line, with "gen_ai.operation.name" and "gen_ai.input.messages" in its spans.',
  });
}

function leftOut(count: number, what: string, why: string): readonly string[] {
  const lines = plural(count, `${what} is`, `${what}s are`);
  return lineIf(count > 0, `${lines} left out: ${why}.`);
}

function describeFiles(count: number): readonly string[] {
  const requests = plural(count, 'request has', 'requests have');
  return lineIf(count > 0, `${requests} files or pictures, which are not in the samples.`);
}

/** The spans by the time of their start. A collector that got one twice writes it twice. */
function readLines(file: string) {
  const spanOf = new Map<string, OtelSpan>();
  const lineOf = new Map<OtelSpan, number>();
  const broken: number[] = [];
  for (const [index, text] of readText(file).split('\n').entries()) {
    if (text.trim() === '') continue;
    const value: unknown = tryOrUndefined(() => JSON.parse(text));
    if (!isFields(value) || !('resourceSpans' in value)) broken.push(index + 1);
    else
      for (const span of readSpans(value)) {
        spanOf.set(`${span.traceId} ${span.id}`, span);
        lineOf.set(span, index + 1);
      }
  }
  const spans = [...spanOf.values()].toSorted((a, b) => a.from - b.from);
  return { spans, lineOf, broken };
}

/** Spans of one request, and its outermost ones among them. */
type Group = Readonly<{ roots: [OtelSpan, ...OtelSpan[]]; spans: OtelSpan[] }>;

/** The requests of a trace. Spans outside of them, such as those of a web server, are left out. */
function groupByRequest(trace: readonly OtelSpan[]): readonly Group[] {
  const tops = findOutermost(trace, (span) => operationOf(span) !== null);
  const groups: Group[] = [];
  /** The latest loop below a parent, and the latest that began with these words. */
  const loops = new Map<string, Group>();
  for (const [root, spans] of Map.groupBy(trace, ({ id }) => tops.get(id) ?? null)) {
    if (root === null) continue;
    const begun = loops.get(nameLoop(root));
    if (begun !== undefined) {
      for (const span of spans) begun.spans.push(span);
      begun.roots.push(root);
    } else if (operationOf(root) !== 'tool') {
      const group: Group = { roots: [root], spans };
      groups.push(group);
      if (operationOf(root) !== 'model') continue;
      loops.set(nameParent(root), group);
      loops.set(nameWords(root), group);
    }
  }
  return groups;
}

/**
 * The name of the loop that an outermost span belongs to where no span of an agent is around it: a tool
 * to that below its parent, a call of the model that was sent the results of tools to that of its
 * words. Of other spans the name of no loop.
 */
function nameLoop(root: OtelSpan): string {
  if (operationOf(root) === 'tool') return nameParent(root);
  const isAfterTool = (readAsked(root).at(-1)?.results.size ?? 0) > 0;
  return operationOf(root) === 'model' && isAfterTool ? nameWords(root) : '';
}

function nameParent({ parent }: OtelSpan): string {
  return JSON.stringify([parent]);
}

function nameWords(root: OtelSpan): string {
  const said = readAsked(root).filter(({ role }) => role === 'user');
  return JSON.stringify([root.parent, said.flatMap(({ text }) => text ?? [])]);
}

function toRequest(
  { roots, spans }: Group,
  isOnly: boolean,
  lineOf: ReadonlyMap<OtelSpan, number>,
): RecordedRequest | null {
  const trace = readGenAiTrace(spans);
  if (trace === null) return null;
  const [{ traceId, id }] = roots;
  const { output } = trace;
  return {
    id: isOnly ? traceId : `${traceId}-${id}`,
    line: lineOf.get(roots[0]) ?? 1,
    roots,
    trace,
    messages: toMessages(trace),
    isCut: output === null ? hasBroken(spans, OUTPUT_ATTRIBUTES) : wasCut(output),
  };
}

function toMessages({ messages }: GenAiTrace): readonly Message[] {
  const list: Message[] = [];
  for (const { role, text } of messages) {
    if ((role !== 'user' && role !== 'assistant') || text.trim() === '') continue;
    const before = list.at(-1)?.role === role ? list.pop() : undefined;
    list.push({ role, content: before === undefined ? text : `${before.content}\n\n${text}` });
  }
  return list;
}

function howWhole({ messages, roots }: RecordedRequest): 'whole' | 'cut' | 'silent' {
  const words = messages.filter(({ role }) => role === 'user');
  if (words.length === 0) return hasBroken(roots, INPUT_ATTRIBUTES) ? 'cut' : 'silent';
  return words.some(({ content }) => wasCut(content)) ? 'cut' : 'whole';
}

const INPUT_ATTRIBUTES = ['gen_ai.input.messages', 'ai.prompt.messages', 'ai.prompt'];
const OUTPUT_ATTRIBUTES = ['gen_ai.output.messages'];

/** Whether messages are not complete JSON, as where the length of attributes is limited. */
function hasBroken(spans: readonly OtelSpan[], names: readonly string[]): boolean {
  return textsOfAttributes(spans, names).some(
    (text) =>
      /^\s*[[{]/.test(text) && tryOrUndefined((): unknown => JSON.parse(text)) === undefined,
  );
}

function hasFiles({ roots }: RecordedRequest): boolean {
  return textsOfAttributes(roots, INPUT_ATTRIBUTES).some((text) =>
    /"type": ?"(?:blob|uri|file|image|image_url|media)"/.test(text),
  );
}

function textsOfAttributes(
  spans: readonly OtelSpan[],
  names: readonly string[],
): readonly string[] {
  const values = spans.flatMap(({ attributes }) => names.map((name) => attributes[name]));
  return values.filter((value) => typeof value === 'string');
}
