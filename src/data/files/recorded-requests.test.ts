import { expect, test } from 'vitest';
import { makeFile } from '../../../test/make-folder.ts';
import { type ShortSpan, toCall, toMessage, toOtlpLine } from '../../../test/otlp-lines.ts';
import { textsOf } from '../../words/types.fixture.ts';
import { readRequests } from './recorded-requests.ts';

const read = (...lines: readonly string[]) =>
  readRequests(makeFile('traces.jsonl', lines.join('\n')));

const HTTP = { 'http.request.method': 'POST' };
const user = (text: string) => toMessage('user', text);
const model = (text: string) => toMessage('assistant', text);
const CALL = { type: 'tool_call', id: 'c1', name: 'add', arguments: { a: 1 } };
const RESULT = toMessage('tool', { type: 'tool_call_response', id: 'c1', response: '3' });

/** A loop without a span of an agent, below a request of a web server. */
function toLoop(id: string, question: string, from: number): readonly ShortSpan[] {
  const asked = [user(question), toMessage('assistant', CALL), RESULT];
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'add' };
  return [
    {
      ...{ id: `${id}1`, parent: 'web', from, to: from + 100 },
      attributes: toCall([user(question)], [toMessage('assistant', CALL)]),
    },
    { id: `${id}2`, parent: 'web', from: from + 110, to: from + 120, attributes: tool },
    {
      ...{ id: `${id}3`, parent: 'web', from: from + 130, to: from + 200 },
      attributes: toCall(asked, [model(`${question} 3.`)]),
    },
  ];
}

const AGENT: ShortSpan = {
  ...{ trace: 't2', id: 'a' },
  attributes: toCall([user('Hi'), model('Hello'), user('1 + 2?')], [model('3')], 'invoke_agent'),
};

test('finds requests of agents and of loops, their ids and their messages', () => {
  const loops = toOtlpLine(
    { id: 'web', attributes: HTTP },
    ...toLoop('x', 'First?', 10),
    ...toLoop('y', 'Second?', 300),
  );
  const inner = { trace: 't2', id: 'm', parent: 'step', attributes: toCall([user('x')], []) };
  const step = { trace: 't2', id: 'step', parent: 'a', attributes: {} };
  const early = { trace: 't0', id: 'b', parent: 'elsewhere', attributes: toCall([user('?')], []) };
  const { requests, notes } = read(
    loops,
    toOtlpLine(inner, step),
    '',
    // A collector may write a span twice.
    toOtlpLine(AGENT),
    toOtlpLine(AGENT),
    toOtlpLine(early),
    toOtlpLine({ trace: 't3', id: 'c', attributes: HTTP }),
  );
  expect(
    requests.map(({ id, line, trace, messages, roots }) => [
      ...[id, line, roots.length, trace.output, trace.trace.length],
      messages.map(({ content }) => content),
    ]),
  ).toEqual([
    ['t1-x1', 1, 3, 'First? 3.', 2, ['First?']],
    ['t1-y1', 1, 3, 'Second? 3.', 2, ['Second?']],
    ['t2', 5, 1, '3', 1, ['Hi', 'Hello', '1 + 2?']],
    ['t0', 6, 1, null, 1, ['?']],
  ]);
  expect(requests[0]?.trace.trace[0]?.tool_calls).toMatchObject([{ name: 'add', at_ms: 120 }]);
  expect(textsOf(notes)).toEqual(['1 trace is left out: no span of an agent or a model.']);
});

test('reports what is left out: broken lines, requests without a text, and cut ones', () => {
  const of = (trace: string, attributes: object, error?: string): string =>
    toOtlpLine({ trace, id: 'a', attributes: { ...attributes }, ...(error ? { error } : {}) });
  const whole = toCall([user('Q')], [model('A')]);
  const picture = toMessage('user', 'What is this?', { type: 'blob', content: 'aGk=' });
  const { requests, notes } = read(
    of('whole', whole),
    of('failed', toCall([user('Q')], []), 'HTTP 500'),
    of('no answer', { ...whole, 'gen_ai.output.messages': '[{"role":"assistant","par' }),
    of('no question', { ...whole, 'gen_ai.input.messages': '[{"role":"user","parts":[{"ty' }),
    of('own export', toCall([user('x\n[... 7 characters left out ...]\ny')], [model('A')])),
    of('without texts', toCall([], [])),
    of('picture', toCall([picture], [model('A cat')])),
    '{"resourceLogs": []}',
    `${of('last', whole).slice(0, -20)}`,
  );
  expect(requests.map(({ id, isCut, roots }) => [id, isCut, roots[0].message])).toEqual([
    ['whole', false, ''],
    ['failed', false, 'HTTP 500'],
    ['no answer', true, ''],
    ['picture', false, ''],
  ]);
  expect(textsOf(notes)).toEqual([
    '2 lines are left out: not JSON of OTLP, such as line 8.',
    '1 request is left out: no words of the user are recorded.',
    '2 requests are left out: the words of the user are cut.',
    '1 request has files or pictures, which are not in the samples.',
  ]);
});

test.each([
  ['{"id": 1}\n{"resour', /traces\.jsonl:1: the file has no request that can be asked \(2 lines/],
  [`\n${toOtlpLine({ id: 'a', attributes: HTTP })}`, /traces\.jsonl:2: .* \(1 trace is left out/],
  [
    toOtlpLine({ id: 'a', attributes: toCall([], []) }),
    /traces\.jsonl:1: .*no words of the user are recorded\)\. Write \{"resourceSpans"/,
  ],
])('refuses a file without a request, with its line and what to do', (text, message) => {
  expect(() => read(text)).toThrow(message);
});
