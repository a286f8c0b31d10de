import type { MatcherState } from 'vitest';
import { NO_TRACE, type TraceCall, type TraceStep } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';
import { escapeLine, quote, showValue, tryOrUndefined } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import { type ExpectedRow, type Likeness, NOWHERE, ORDERS, placeCalls } from './place-calls.ts';

/** The name of a tool, or a call of it with these arguments. */
export type ExpectedCall =
  | string
  | {
      readonly name: string;
      /**
       * A part of the arguments, compared as `toMatchObject` does it, or all with `args: 'exact'`. A
       * function gets the arguments and says whether they are right.
       */
      readonly args?: object | string | ((args: Readonly<Record<string, unknown>>) => boolean);
    };

/** A call, or several that are made in one turn, in any order. */
export type ExpectedCalls = readonly (ExpectedCall | readonly ExpectedCall[])[];

export type CalledToolsOptions = {
  /**
   * "in_order" (default): one after the other. "exact": directly after each other. "any": in any
   * order.
   */
  readonly order?: 'exact' | 'in_order' | 'any';
  /**
   * Whether other calls may be there too, or the calls that may. Default: yes, but not with "exact"
   * or an empty list without `forbidden`.
   */
  readonly extra?: boolean | readonly ExpectedCall[];
  /**
   * Calls that must not be there, whatever `extra` allows: a name, or a call with these arguments. With
   * an empty list of tools it alone is checked.
   */
  readonly forbidden?: readonly ExpectedCall[];
  /** "partial" (default): calls may have more arguments than expected. "exact": they may not. */
  readonly args?: 'exact' | 'partial';
};

/**
 * Passes if a trace, such as the one that `score` gets, has calls of these tools. Each expected
 * call needs a call of its own. Throws a TypeError without a trace, and a RangeError for an unknown
 * option.
 *
 * @example
 * expect(trace).toHaveCalledTools(['plan', [{ name: 'search', args: { query: 'tea' } }, 'read']]);
 * expect(trace).toHaveCalledTools([], { forbidden: ['delete', { name: 'pay', args: { amount: 0 } }] });
 */
export function toHaveCalledTools(
  this: MatcherState,
  received: unknown,
  expected: unknown,
  options: CalledToolsOptions = {},
): { pass: boolean; message(): string } {
  const steps = requireTrace('toHaveCalledTools', received);
  const tools = readExpected(expected);
  const asked = readOptions(options, tools);
  const { calls, turns, rows, places, used, faults, pass } = judgeCalls(steps, tools, asked, this);
  const hasTurns = tools.some(({ isGrouped }) => isGrouped);
  const message = () => {
    const show = (value: unknown) =>
      typeof value === 'string' ? value : this.utils.stringify(value, 10, { min: true });
    const wanted = tools.map(({ name, args, item, isGrouped }, index) => ({
      fault:
        places[index] === NOWHERE ? findFault(rows[index], used, isGrouped, asked.order) : null,
      text: `${show(name)}${args === undefined ? '' : ` ${show(args)}`}`,
      name: show(name),
      number: item + 1,
    }));
    const called = calls.map(({ name, arguments: args, failed }, index) => ({
      fault: faults[index] ?? null,
      text: `${name} ${show(args)}${failed ? ' (failed)' : ''}`,
      name,
      number: hasTurns ? (turns[index] ?? 0) + 1 : index + 1,
    }));
    const why = pass ? 'these calls were made' : describeFaults([...wanted, ...called]);
    const expectation = `Expected${this.isNot ? ' not' : ''}, ${describeRules(asked, hasTurns)}`;
    return [
      `${this.utils.matcherHint('toHaveCalledTools', 'trace', 'tools', { isNot: this.isNot })}: ${why}`,
      '',
      ...listCalls(expectation, wanted),
      ...listCalls(hasTurns ? 'Called, by turn' : 'Called', called),
    ].join('\n');
  };
  return { pass, message };
}

/** Which calls are the expected ones, and what is wrong with the others. */
function judgeCalls(
  steps: readonly TraceStep[],
  tools: readonly Expected[],
  { order, extra, forbidden, args }: Asked,
  state: MatcherState,
) {
  const calls = steps.flatMap(({ tool_calls }) => tool_calls);
  const turns = steps.flatMap(({ tool_calls }, turn) => tool_calls.map(() => turn));
  const compare = (tool: Expected, call: TraceCall) => compareCalls(tool, call, args, state);
  const rows = tools.map((tool) => ({
    item: tool.item,
    likenesses: calls.map((call) => compare(tool, call)),
  }));
  const places = placeCalls(rows, turns, order);
  const used = new Set(places);
  const faults = calls.map((call, index) => {
    const isOneOf = (listed: readonly Expected[]) =>
      listed.some((tool) => compare(tool, call) === 'same');
    if (isOneOf(forbidden)) return 'forbidden';
    const isAllowed = used.has(index) || (typeof extra === 'boolean' ? extra : isOneOf(extra));
    return isAllowed ? null : 'extra';
  });
  const span = Math.max(...places) - Math.min(...places);
  const isTogether = order !== 'exact' || places.length === 0 || span === places.length - 1;
  const pass = !used.has(NOWHERE) && isTogether && faults.every((fault) => fault === null);
  return { calls, turns, rows, places, used, faults, pass };
}

type Expected = {
  readonly name: unknown;
  readonly args?: unknown;
  readonly item: number;
  /** Whether its item has other calls too. */
  readonly isGrouped: boolean;
};

function readExpected(tools: unknown): readonly Expected[] {
  if (!Array.isArray(tools)) throw refuse('a list of tools', tools);
  return tools.flatMap((item: unknown, index) => {
    const calls: readonly unknown[] = Array.isArray(item) ? item : [item];
    return calls.map((tool) => ({ ...readCall(tool), item: index, isGrouped: calls.length > 1 }));
  });
}

function readCall(tool: unknown): Pick<Expected, 'name' | 'args'> {
  if (typeof tool === 'string') return { name: tool };
  const { name, args, ...others } = isFields(tool) ? tool : {};
  // "arguments" in place of "args" would compare nothing.
  if (name === undefined || Object.keys(others).length > 0)
    throw refuse('names, or objects with name and args', tool);
  return { name, args };
}

function refuse(what: string, value: unknown): TypeError {
  return new TypeError(
    `toHaveCalledTools needs ${what}, got ${showValue(value)}. Write ['search', { name: 'read', args: {} }].`,
  );
}

type Asked = {
  readonly order: keyof typeof ORDERS;
  readonly args: 'exact' | 'partial';
  readonly extra: boolean | readonly Expected[];
  readonly forbidden: readonly Expected[];
};

function readOptions(options: CalledToolsOptions, tools: readonly Expected[]): Asked {
  const { order = 'in_order', args = 'partial', forbidden = [] } = options;
  const isOpen = tools.length > 0 || forbidden.length > 0;
  const { extra = order !== 'exact' && isOpen } = options;
  for (const name of Object.keys(options))
    requireOneOf('options', name, ['order', 'extra', 'forbidden', 'args']);
  requireOneOf('order', order, Object.keys(ORDERS));
  requireOneOf('args', args, ['exact', 'partial']);
  const allowed = typeof extra === 'boolean' ? extra : readExpected(extra);
  return { order, args, extra: allowed, forbidden: readExpected(forbidden) };
}

function requireOneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (allowed.some((each) => each === value)) return;
  const meant = didYouMean(String(value), allowed);
  throw new RangeError(
    `toHaveCalledTools: "${option}" must be one of ${allowed.join(', ')}, got ${quote(String(value))}.${meant}`,
  );
}

function compareCalls(
  { name, args }: Expected,
  call: TraceCall,
  mode: Asked['args'],
  { equals, utils, ...state }: MatcherState,
): Likeness {
  const testers = [...state.customTesters, utils.iterableEquality];
  const partly = [...testers, utils.subsetEquality];
  if (!equals(call.name, name, partly)) return 'other tool';
  const called = readArguments(call);
  const isSame = isFunction(args)
    ? isFields(called) && isAccepted(args, called)
    : args === undefined || equals(called, args, mode === 'exact' ? testers : partly);
  return isSame ? 'same' : 'other arguments';
}

function isFunction(value: unknown): value is (args: unknown) => unknown {
  return typeof value === 'function';
}

/** What a function of the user says of arguments. Another value than a boolean is a mistake. */
function isAccepted(accepts: (args: unknown) => unknown, called: unknown): boolean {
  const verdict = accepts(called);
  if (typeof verdict === 'boolean') return verdict;
  throw new TypeError(
    `toHaveCalledTools: the function for "args" must return true or false, got ${showValue(verdict)}.`,
  );
}

/**
 * The arguments as a value; the text itself if it is not JSON. A model may write nothing for a tool
 * without parameters.
 */
function readArguments({ arguments: written }: TraceCall): unknown {
  return written === '' ? {} : (tryOrUndefined((): unknown => JSON.parse(written)) ?? written);
}

/** Why an expected call has no place. */
function findFault(
  row: ExpectedRow | undefined,
  used: ReadonlySet<number>,
  isGrouped: boolean,
  order: Asked['order'],
): string {
  const others = row?.likenesses.filter((_, place) => !used.has(place)) ?? [];
  if (!others.includes('same'))
    return others.includes('other arguments') ? 'called with other arguments' : 'missing';
  if (!isGrouped) return 'out of order';
  return order === 'any' ? 'not in one turn' : 'not in one turn, or out of order';
}

/** "in this order and no others, with exactly these arguments" */
function describeRules({ order, extra, forbidden, args }: Asked, hasTurns: boolean): string {
  const others = { true: ', others allowed', false: ' and no others' }[String(extra)];
  return [
    `${ORDERS[order]}${others ?? ', some others allowed'}`,
    ...(forbidden.length > 0 ? [`never ${forbidden.map(describeForbidden).join(' or ')}`] : []),
    ...(args === 'exact' ? ['with exactly these arguments'] : []),
    ...(hasTurns ? ['those with one number in one turn'] : []),
  ].join(', ');
}

function describeForbidden({ name, args }: Expected): string {
  return escapeLine(
    `${typeof name === 'string' ? name : showValue(name)}${args === undefined ? '' : ` ${showArgs(args)}`}`,
  );
}

function showArgs(args: unknown): string {
  return isFunction(args) ? 'with some arguments' : showValue(args);
}

type Shown = {
  readonly name: string;
  readonly text: string;
  readonly number: number;
  readonly fault: string | null;
};

const MOST_LINES = 30;

/** "missing: search, read; extra: search" */
function describeFaults(calls: readonly Shown[]): string {
  const faults = Map.groupBy(calls, ({ fault }) => fault);
  faults.delete(null);
  const parts = [...faults].map(
    ([fault, faulty]) => `${fault}: ${faulty.map(({ name }) => name).join(', ')}`,
  );
  return escapeLine(parts.join('; ')) || 'others come between';
}

function listCalls(title: string, calls: readonly Shown[]): readonly string[] {
  if (calls.length === 0) return [`${title}: nothing`];
  const lines = calls.slice(0, MOST_LINES).map(({ text, fault, number }) => {
    return `  ${number}. ${escapeLine(text.trimEnd())}${fault === null ? '' : ` <- ${fault}`}`;
  });
  const more = calls.length > MOST_LINES ? [`  and ${calls.length - MOST_LINES} more`] : [];
  return [`${title}:`, ...lines, ...more];
}

/**
 * The steps of a trace. Throws a TypeError for anything else, also with `.not`, and if the agent
 * reports no steps.
 */
function requireTrace(name: string, value: unknown): readonly TraceStep[] {
  if (value === NO_TRACE) {
    throw new TypeError(
      `${name} cannot judge this answer: its agent reports no steps. Return "trace" from the agent, or ask an agent that does.`,
    );
  }
  if (Array.isArray(value) && value.every((step) => Array.isArray(step?.tool_calls))) return value;
  throw new TypeError(
    `${name} needs a trace, a list of steps with "tool_calls", got ${showValue(value)}. Pass the "trace" that score gets.`,
  );
}
