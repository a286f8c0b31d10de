import { describe, expect, test } from 'vitest';
import { messageOf } from '../../test/message-of.ts';
import { NO_TRACE, type TraceStep } from '../words/answer.ts';
import { STEP } from '../words/types.fixture.ts';
import {
  type CalledToolsOptions,
  type ExpectedCall,
  type ExpectedCalls,
  toHaveCalledTools,
} from './to-have-called-tools.ts';
import './index.ts';

expect.extend({ toHaveCalledTools });

type Calls = readonly (string | readonly [name: string, args: unknown])[];

/** The steps of a trace, each of one turn with these calls: "search" or ["search", {arguments}]. */
const toTurns = (...turns: readonly Calls[]): readonly TraceStep[] =>
  turns.map((calls) => {
    const tool_calls = calls.map((call) => {
      const [name, args] = typeof call === 'string' ? [call, {}] : call;
      const written = typeof args === 'string' ? args : JSON.stringify(args);
      return { name, arguments: written, result: 'ok', failed: name === 'broken' };
    });
    return { ...STEP, tool_calls };
  });

/** A trace of these calls, one in each step. */
const toTrace = (...calls: Calls) => toTurns(...calls.map((call) => [call]));

/** Asserts that the matcher passes, or that it does not. */
function check(
  trace: readonly TraceStep[],
  tools: ExpectedCalls,
  options: CalledToolsOptions,
  passes: boolean,
): void {
  const assertion = passes ? expect(trace) : expect(trace).not;
  assertion.toHaveCalledTools(tools, options);
}

const split = (names: string) => names.split(' ').filter(Boolean);

describe('the calls of a trace', () => {
  test.each<[string, string, CalledToolsOptions, boolean]>([
    // In this order by default, and others may come between.
    ['a b c', 'a b c', {}, true],
    ['x a x b c x', 'a b c', {}, true],
    ['b a c', 'a b c', {}, false],
    ['a b', 'a b', { extra: false }, true],
    ['a x b', 'a b', { extra: false }, false],
    // Just these, unless others are allowed before and after them.
    ['a b', 'a b', { order: 'exact' }, true],
    ['b a', 'a b', { order: 'exact' }, false],
    ['a b x', 'a b', { order: 'exact' }, false],
    ['x a b x', 'a b', { order: 'exact', extra: true }, true],
    ['a x a b', 'a b', { order: 'exact', extra: true }, true],
    ['a x b', 'a b', { order: 'exact', extra: true }, false],
    ['a', 'a b', { order: 'exact', extra: true }, false],
    // In any order.
    ['c b a', 'a b c', { order: 'any' }, true],
    ['c b a', 'a b c', { order: 'any', extra: false }, true],
    ['a b', 'a a', { order: 'any' }, false],
    // An empty list means that no tool was called.
    ['', '', {}, true],
    ['a', '', {}, false],
    ['a', '', { extra: true }, true],
    // Of other calls these alone are allowed.
    ['a b c', 'a', { extra: ['a', 'b'] }, false],
    ['a b', 'a', { extra: ['b'] }, true],
    ['a a', 'a', { extra: ['b'] }, false],
    ['b b', '', { extra: ['a', 'b'] }, true],
    ['', '', { extra: ['a', 'b'] }, true],
    ['b c', '', { extra: ['a', 'b'] }, false],
    // These never, whatever else is allowed.
    ['a x', 'a', { forbidden: ['b'] }, true],
    ['a b', 'a', { forbidden: ['b'] }, false],
    ['a b', 'a', { forbidden: ['b'], extra: ['b'] }, false],
    ['a a', 'a', { forbidden: ['a'] }, false],
    ['x y', '', { forbidden: ['b'] }, true],
    ['b', '', { forbidden: ['b'] }, false],
    ['x', '', { forbidden: ['b'], extra: false }, false],
    ['', '', { forbidden: ['b'] }, true],
  ])('"%s" contain "%s" with %j: %s', (made, wanted, options, passes) => {
    check(toTrace(...split(made)), split(wanted), options, passes);
  });

  const ARGS = { query: 'tea', filter: { year: 2020, kind: 'green' }, sites: ['a', 'b'] };

  test.each<[string, ExpectedCall, boolean, boolean]>([
    [
      'a part of an inner object and all of a list',
      { name: 'search', args: { filter: { year: 2020 }, sites: ['a', 'b'] } },
      true,
      false,
    ],
    ['not a part of a list', { name: 'search', args: { sites: ['a'] } }, false, false],
    ['all of them', { name: 'search', args: ARGS }, true, true],
    ['arguments that are not given', { name: 'search', args: undefined }, true, true],
    [
      'a matcher',
      { name: 'search', args: { query: expect.stringMatching(/^t/), filter: expect.anything() } },
      true,
      false,
    ],
    [
      'a matcher of the whole',
      { name: 'search', args: expect.objectContaining({ query: 'tea' }) },
      true,
      true,
    ],
    ['a matcher of the name', { name: expect.stringMatching(/^sea/) }, true, true],
    ['a function', { name: 'search', args: ({ query }) => query === 'tea' }, true, true],
    ['a function that says no', { name: 'search', args: () => false }, false, false],
    ['a name more', { name: 'search', args: { ...ARGS, page: 2 } }, false, false],
    ['another tool', { name: 'find', args: { query: 'tea' } }, false, false],
    ['its name alone', 'search', true, true],
  ])('are compared by %s', (_, tool, passes, passesExactly) => {
    const trace = toTrace(['search', ARGS]);
    check(trace, [tool], {}, passes);
    check(trace, [tool], { args: 'exact' }, passesExactly);
  });

  test('finds each expected call one of its own, whichever was made first', () => {
    const trace = toTrace(['search', { q: 'a' }], ['search', { q: 'b' }]);
    const tools = ['search', { name: 'search', args: { q: 'a' } }];
    check(trace, tools, { order: 'any', extra: false }, true);
    check(trace, [...tools, 'search'], { order: 'any' }, false);
    check(trace, tools, {}, false);
  });

  test.each<[string, object | string, boolean]>([
    ['', {}, true],
    ['{"a": 1', '{"a": 1', true],
    ['{"a": 1', { a: 1 }, false],
  ])('with arguments %j, which are not JSON, contain %o: %s', (written, args, passes) => {
    check(toTrace(['run', written]), [{ name: 'run', args }], {}, passes);
  });

  // Turns are parted by "|", and so are the items of what is expected.
  test.each<[string, string, CalledToolsOptions, boolean]>([
    ['a b', 'b a', {}, true],
    ['a | b', 'a b', {}, false],
    ['a b x', 'x a', {}, true],
    ['p | b a | w', 'p | a b | w', { order: 'exact' }, true],
    ['p | b x a | w', 'p | a b | w', { order: 'exact' }, false],
    ['p | b x a | w', 'p | a b | w', { extra: false }, false],
    ['b a | p', 'p | a b', {}, false],
    ['b a | p', 'p | a b', { order: 'any' }, true],
    ['a | b | a b', 'a b', { order: 'exact', extra: true }, true],
    ['a | b | a', 'a b', { order: 'exact', extra: true }, false],
    ['a a', 'a a', {}, true],
    ['a', 'a a', {}, false],
    // Two groups need two turns, whichever could hold either.
    ['a b c | a b', 'a b | b c', { order: 'any' }, true],
    ['a b c | b | a', 'a b | b c', { order: 'any' }, false],
    ['a b | a b', 'a | a b | b', { order: 'any' }, true],
    ['a b | a | b', 'a b | a b', { order: 'any' }, false],
    ['', 'a b', { order: 'exact' }, false],
  ])('"%s" contain the turns "%s" with %j: %s', (made, wanted, options, passes) => {
    const [turns = [], groups = []] = [made, wanted].map((text) => text.split('|').map(split));
    check(toTurns(...turns), groups, options, passes);
  });

  test('of many turns are placed without delay', () => {
    const trace = toTurns(...Array(200).fill(['a', 'b', 'c']));
    const groups: string[][] = Array(8).fill(['a', 'b']);
    for (const order of ['in_order', 'exact', 'any'] as const)
      check(trace, [...groups, ['a', 'a']], { order }, false);
    check(trace, [...groups, ['b', 'c']], { order: 'any' }, true);
  });
});

describe('the message', () => {
  const trace = toTrace(
    ['fetch', { url: 'http://127.0.0.1/a' }],
    ['read', { name: 'b.pdf' }],
    'broken',
    'search',
  );

  test('lists the calls that were made in their order, and what is wrong with them', () => {
    const tools = [
      'search',
      { name: 'read', args: { name: expect.stringContaining('csv') } },
      'fetch',
      'send',
    ];
    const message = messageOf(() => expect(trace).toHaveCalledTools(tools, { extra: false }));
    expect(message).toMatchInlineSnapshot(`
      "expect(trace).toHaveCalledTools(tools): called with other arguments: read; out of order: fetch; missing: send; extra: fetch, read, broken

      Expected, in this order and no others:
        1. search
        2. read {"name": StringContaining "csv"} <- called with other arguments
        3. fetch <- out of order
        4. send <- missing
      Called:
        1. fetch {"url":"http://127.0.0.1/a"} <- extra
        2. read {"name":"b.pdf"} <- extra
        3. broken {} (failed) <- extra
        4. search {}"
    `);
  });

  test('says what is between calls that should be together, and what should not have been called', () => {
    expect(
      messageOf(() => expect(trace).not.toHaveCalledTools(['search'], { order: 'any' })),
    ).toMatch(
      /^expect\(trace\)\.not\.toHaveCalledTools\(tools\): these calls were made\n\nExpected not, in any order, others allowed:\n {2}1\. search\nCalled:/,
    );
  });

  test('is cut and escaped', () => {
    const name = `::error::\u001b[2J${'n'.repeat(500)}`;
    const hostile = toTrace(...Array(90).fill([name, `\u202e\n${'x'.repeat(9000)}`]));
    const message = messageOf(() =>
      expect(hostile).toHaveCalledTools(['a\u009b'], { extra: false }),
    );
    expect(message).not.toMatch(/[\p{Cf}\u0080-\u009f]|^\s*::/mu);
    expect(message).not.toContain('\u001b[2J');
    expect(message).toContain(': missing: a\\u009b; extra: ::error::');
    expect(message).toMatch(/\n {2}and 60 more$/);
    expect(message.length).toBeLessThan(10_000);
  });

  test('names what is forbidden, by the arguments too', () => {
    const paid = toTrace(['pay', { to: 'me' }], ['pay', { to: 'you' }]);
    const options = { forbidden: ['delete', { name: 'pay', args: { to: 'me' } }] };
    const message = messageOf(() => expect(paid).toHaveCalledTools(['pay'], options));
    expect(message).toMatchInlineSnapshot(`
      "expect(trace).toHaveCalledTools(tools): forbidden: pay

      Expected, in this order, others allowed, never delete or pay {"to":"me"}:
        1. pay
      Called:
        1. pay {"to":"me"} <- forbidden
        2. pay {"to":"you"}"
    `);
  });

  test('numbers the calls of one turn alike, and says what is not together', () => {
    const tools = ['fetch', ['search', 'read'], { name: 'send', args: () => true }];
    const options = { args: 'exact', extra: ['fetch', 'read'] } as const;
    const message = messageOf(() => expect(trace).toHaveCalledTools(tools, options));
    expect(message).toMatchInlineSnapshot(`
      "expect(trace).toHaveCalledTools(tools): not in one turn, or out of order: search, read; missing: send; extra: broken, search

      Expected, in this order, some others allowed, with exactly these arguments, those with one number in one turn:
        1. fetch
        2. search <- not in one turn, or out of order
        2. read <- not in one turn, or out of order
        3. send [Function args] <- missing
      Called, by turn:
        1. fetch {"url":"http://127.0.0.1/a"}
        2. read {"name":"b.pdf"}
        3. broken {} (failed) <- extra
        4. search {} <- extra"
    `);
  });
});

describe('a wrong use is refused, under .not too', () => {
  const use = (received: unknown, tools: unknown, options?: unknown) => {
    const messages = [expect(received), expect(received).not].map((assertion) =>
      messageOf(() => assertion.toHaveCalledTools(tools as never, options as never)),
    );
    expect(messages[0]).toBe(messages[1]);
    return messages[0];
  };

  test.each([
    ['a string', 'search'],
    ['a call', [{ name: 'search', arguments: '{}' }]],
  ])('%s instead of a trace', (_, received) => {
    expect(use(received, ['a'])).toMatch(
      /needs a trace, a list of steps with "tool_calls", got .* Pass the "trace"/,
    );
  });

  test('the trace of an agent that reports no steps: it may have called anything', () => {
    expect(use(NO_TRACE, ['a'])).toMatch(
      /its agent reports no steps\. Return "trace" from the agent/,
    );
  });

  test('a function that returns no verdict', () => {
    const tools = [{ name: 'a', args: () => undefined }];
    expect(use(toTrace('a'), tools)).toBe(
      'toHaveCalledTools: the function for "args" must return true or false, got nothing.',
    );
  });

  test.each([
    [{ extras: false }, '"options" must be one of order, extra, forbidden, args, got "extras".'],
    [{ forbiden: ['b'] }, 'got "forbiden". Did you mean forbidden?'],
    [{ order: 'in order' }, '"order" must be one of exact, in_order, any, got "in order".'],
    [{ extra: 'a' }, 'needs a list of tools, got "a".'],
  ])('the option %j', (options, message) => {
    expect(use([], ['a'], options)).toContain(message);
  });
});
