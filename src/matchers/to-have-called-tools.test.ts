import { describe, expect, test } from 'vitest';
import { messageOf } from '../../test/message-of.ts';
import { STEP } from '../types.fixture.ts';
import { NO_TRACE, type TraceStep } from '../types.ts';
import {
  type CalledToolsOptions,
  type ExpectedCall,
  type ExpectedCalls,
  toHaveCalledTools,
} from './to-have-called-tools.ts';
import './matcher.ts';

expect.extend({ toHaveCalledTools });

/** A trace of these calls, one in each step: "search" or ["search", {arguments}]. */
function toTrace(
  calls: readonly (string | readonly [name: string, args: unknown])[],
): readonly TraceStep[] {
  return calls.map((call) => {
    const [name, args] = typeof call === 'string' ? [call, {}] : call;
    const written = typeof args === 'string' ? args : JSON.stringify(args);
    return {
      ...STEP,
      tool_calls: [{ name, arguments: written, result: 'ok', failed: name === 'broken' }],
    };
  });
}

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
  ])('"%s" holds "%s" with %j: %s', (made, wanted, options, holds) => {
    const trace = toTrace(made.split(' ').filter(Boolean));
    const tools = wanted.split(' ').filter(Boolean);
    if (holds) expect(trace).toHaveCalledTools(tools, options);
    else expect(trace).not.toHaveCalledTools(tools, options);
  });

  test.each<[string, ExpectedCall, boolean]>([
    [
      'a part of an inner object and all of a list',
      { name: 'search', args: { filter: { year: 2020 }, sites: ['a', 'b'] } },
      true,
    ],
    ['not a part of a list', { name: 'search', args: { sites: ['a'] } }, false],
    ['arguments that are not given', { name: 'search', args: undefined }, true],
    [
      'a matcher',
      { name: 'search', args: { query: expect.stringMatching(/^t/), filter: expect.anything() } },
      true,
    ],
    [
      'a matcher of the whole',
      { name: 'search', args: expect.objectContaining({ query: 'tea' }) },
      true,
    ],
    ['a matcher of the name', { name: expect.stringMatching(/^sea/) }, true],
    ['a function', { name: 'search', args: ({ query }) => query === 'tea' }, true],
    ['a function that says no', { name: 'search', args: ({ query }) => query === 'coffee' }, false],
    ['a name more', { name: 'search', args: { query: 'tea', page: 2 } }, false],
    ['another tool', { name: 'find', args: { query: 'tea' } }, false],
  ])('is compared by %s', (_, tool, holds) => {
    const args = { query: 'tea', filter: { year: 2020, kind: 'green' }, sites: ['a', 'b'] };
    const trace = toTrace([['search', args]]);
    if (holds) expect(trace).toHaveCalledTools([tool]);
    else expect(trace).not.toHaveCalledTools([tool]);
  });

  test.each<[string, ExpectedCall, boolean]>([
    ['all of them', { name: 'search', args: { query: 'tea', page: { from: 1 } } }, true],
    ['a part', { name: 'search', args: { query: 'tea' } }, false],
    ['a function', { name: 'search', args: ({ query }) => query === 'tea' }, true],
    ['any, where none are named', 'search', true],
  ])('has exact arguments: %s', (_, tool, holds) => {
    const trace = toTrace([['search', { query: 'tea', page: { from: 1 } }]]);
    if (holds) expect(trace).toHaveCalledTools([tool], { args: 'exact' });
    else expect(trace).not.toHaveCalledTools([tool], { args: 'exact' });
  });

  test.each<[string, string, string, boolean]>([
    ['a b c', 'a', 'a b', false],
    ['a b', 'a', 'b', true],
    ['a a', 'a', 'b', false],
    ['b b', '', 'a b', true],
    ['', '', 'a b', true],
    ['b c', '', 'a b', false],
  ])('"%s" holds "%s" and beside them none but "%s": %s', (made, wanted, others, holds) => {
    const [trace, tools, extra] = [made, wanted, others].map((each) =>
      each.split(' ').filter(Boolean),
    );
    if (trace === undefined || tools === undefined || extra === undefined) return;
    if (holds) expect(toTrace(trace)).toHaveCalledTools(tools, { extra });
    else expect(toTrace(trace)).not.toHaveCalledTools(tools, { extra });
  });

  test('finds each expected call one of its own, whichever was made first', () => {
    const trace = toTrace([
      ['search', { q: 'a' }],
      ['search', { q: 'b' }],
    ]);
    const tools = ['search', { name: 'search', args: { q: 'a' } }];
    expect(trace).toHaveCalledTools(tools, { order: 'any', extra: false });
    expect(trace).not.toHaveCalledTools([...tools, 'search'], { order: 'any' });
    expect(trace).not.toHaveCalledTools(tools);
  });

  test.each<[string, object | string, boolean]>([
    ['', {}, true],
    ['{"a": 1', '{"a": 1', true],
    ['{"a": 1', { a: 1 }, false],
  ])('with arguments %j, which are not JSON, hold %o: %s', (written, args, holds) => {
    const trace = toTrace([['run', written]]);
    if (holds) expect(trace).toHaveCalledTools([{ name: 'run', args }]);
    else expect(trace).not.toHaveCalledTools([{ name: 'run', args }]);
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
  ])('"%s" holds the turns "%s" with %j: %s', (made, wanted, options, holds) => {
    const split = (text: string) => text.split('|').map((each) => each.split(' ').filter(Boolean));
    const trace = split(made).map((names) => ({
      ...STEP,
      tool_calls: toTrace(names).flatMap(({ tool_calls }) => tool_calls),
    }));
    const tools: ExpectedCalls = split(wanted);
    if (holds) expect(trace).toHaveCalledTools(tools, options);
    else expect(trace).not.toHaveCalledTools(tools, options);
  });

  test('of many turns are placed without delay', () => {
    const trace = Array.from({ length: 200 }, () => ({
      ...STEP,
      tool_calls: toTrace(['a', 'b', 'c']).flatMap(({ tool_calls }) => tool_calls),
    }));
    const groups = Array.from({ length: 8 }, () => ['a', 'b']);
    for (const order of ['in_order', 'exact', 'any'] as const)
      expect(trace).not.toHaveCalledTools([...groups, ['a', 'a']], { order });
    expect(trace).toHaveCalledTools([...groups, ['b', 'c']], { order: 'any' });
  });
});

describe('the message', () => {
  const trace = toTrace([
    ['fetch', { url: 'http://127.0.0.1/a' }],
    ['read', { name: 'b.pdf' }],
    'broken',
    'search',
  ]);

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
    const hostile = toTrace(
      Array.from({ length: 90 }, (_, index) => [
        `::error::\u001b[2J${'n'.repeat(500)}`,
        `\u202e\n${'x'.repeat(9000)}${index}`,
      ]),
    );
    const message = messageOf(() =>
      expect(hostile).toHaveCalledTools(['a\u009b'], { extra: false }),
    );
    expect(message).not.toMatch(/[\p{Cf}\u0080-\u009f]|^\s*::/mu);
    expect(message).not.toContain('\u001b[2J');
    expect(message).toContain(': missing: a\\u009b; extra: ::error::');
    expect(message).toMatch(/\n {2}and 60 more$/);
    expect(message.length).toBeLessThan(10_000);
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

  test('a function that gives no verdict', () => {
    const tools = [{ name: 'a', args: () => undefined }];
    expect(use(toTrace(['a']), tools)).toBe(
      'toHaveCalledTools: the function for "args" must return true or false, got nothing.',
    );
  });

  test.each([
    [{ extras: false }, '"options" must be one of order, extra, args, got "extras".'],
    [{ order: 'in order' }, '"order" must be one of exact, in_order, any, got "in order".'],
    [{ extra: 'a' }, 'needs a list of tools, got "a".'],
  ])('the option %j', (options, message) => {
    expect(use([], ['a'], options)).toContain(message);
  });
});
