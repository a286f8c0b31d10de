import { describe, expect, test } from 'vitest';
import { addPieces, CallReader, keepSentBack, toSendable, toSendableValue } from './history.ts';

const TOOLS = [{ name: 'calculate' }, { name: 'files__read' }];
const read = (...calls: readonly object[]) =>
  new CallReader(TOOLS, /^[\w-]{1,64}$/).read(
    calls.map((call) => ({ id: 'c1', name: 'calculate', arguments: '{}', ...call })),
  );

describe('the arguments of a call', () => {
  const asked = { code: '1' };
  test.each<[string, unknown, object]>([
    ['an object as text', '{"code":"1"}', asked],
    ['an object', asked, asked],
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['the word null', 'null', {}],
    ['an empty text', ' ', {}],
    ['an object within a text', JSON.stringify('{"code":"1"}'), asked],
    ['an object in a fence', '```json\n{"code":"1"}\n```', asked],
    ['an object twice', '{"code":"1"}{"code":"1"}', asked],
  ])('are read from %s', (_, written, input) => {
    const [call] = read({ arguments: written });
    expect(call?.input).toEqual(input);
    expect(JSON.parse(call?.arguments ?? '')).toEqual(input);
  });

  test.each([
    ['half an object', '{"code": 1', '{"code": 1'],
    ['two objects', '{"code":"1"}{"code":"2"}', '{"code":"1"}{"code":"2"}'],
    ['a list', ['1'], '["1"]'],
    ['a number', 7, '7'],
    ['words', 'calculate it', 'calculate it'],
  ])('stay as they were written where they are %s, and go back in an object', (_, written, as) => {
    expect(read({ arguments: written })).toMatchObject([
      { arguments: as, input: { malformed_arguments: as } },
    ]);
  });
});

test.each([
  ['calculate', 'calculate'],
  ['functions.calculate', 'calculate'],
  ['default_api:calculate', 'calculate'],
  [' calculate<|channel|>commentary', 'calculate'],
  ['files.read', 'read'],
  ['files/read', 'read'],
  ['search the web', 'search_the_web'],
  ['x'.repeat(80), 'x'.repeat(64)],
  ['', 'tool_without_a_name'],
  [null, 'tool_without_a_name'],
])('the tool %j is called %s', (name, expected) => {
  expect(read({ name })[0]?.name).toBe(
    expected === 'read' ? String(name).replace(/\W/, '_') : expected,
  );
});

test.each([
  ['used twice in a reply', [{ id: 'c1' }, { id: 'c1' }]],
  ['missing', [{ id: undefined }, { id: '' }]],
  ['not those of the API', [{ id: 'functions.calculate:0' }, { id: 'c'.repeat(65) }]],
  ['no texts', [{ id: 7 }, { id: null }]],
])('ids that are %s become others', (_, calls) => {
  const ids = read(...calls).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[\w-]{1,64}$/);
});

test('an id is used once in a conversation', () => {
  const reader = new CallReader(TOOLS, /^.{1,64}$/s);
  const call = { id: 'functions.calculate:0', name: 'calculate', arguments: '{}' };
  const [first] = reader.read([call]);
  const [second] = reader.read([call]);
  expect(first?.id).toBe('functions.calculate:0');
  // Mistral takes nine letters and digits.
  expect(second?.id).toMatch(/^[a-z\d]{9}$/);
});

test.each([
  [null, null],
  [' \n', null],
  ['x', 'x'],
  ['half \ud83d', 'half \ufffd'],
])('the text %j is sent as %j', (text, sent) => {
  expect(toSendable(text)).toBe(sent);
});

test('texts of a million characters are cut, wherever they stand', () => {
  const long = 'x'.repeat(1_100_000);
  expect(toSendable(long)?.length).toBeLessThan(1_048_576);
  const [sent] = toSendableValue([{ text: long, 'half \ud83d': 1, n: 7, none: null }]);
  expect(sent?.text.length).toBeLessThan(1_048_576);
  expect(sent).toMatchObject({ 'half \ufffd': 1, n: 7, none: null });
});

test('what a server signs goes back to it, and nothing else', () => {
  const message = {
    content: 'x',
    annotations: [1],
    reasoning: 'so',
    reasoning_content: 'so',
    reasoning_details: [{ data: 'S' }],
    refusal: null,
  };
  const { content, annotations, refusal, ...signed } = message;
  expect(keepSentBack(message, 'message', 'host:8000')).toEqual(signed);
  expect(keepSentBack(message, 'message', 'api.groq.com')).toEqual({});
  expect(keepSentBack(message, 'call', 'host')).toEqual({});
  const call = { id: 'c', extra_content: { google: { thought_signature: 'S' } } };
  expect(keepSentBack(call, 'call', 'host')).toEqual({ extra_content: call.extra_content });
  expect(keepSentBack(null, 'call', 'host')).toEqual({});
});

test.each<[string, readonly object[], readonly object[]]>([
  [
    'of one index are one',
    [
      { index: 0, type: 'reasoning.text', text: 'a' },
      { index: 0, type: 'reasoning.text', text: 'b', signature: 'S' },
      { index: 1, type: 'reasoning.encrypted', data: 'D', id: 'r1' },
    ],
    [
      { index: 0, type: 'reasoning.text', text: 'ab', signature: 'S' },
      { index: 1, type: 'reasoning.encrypted', data: 'D', id: 'r1' },
    ],
  ],
  [
    'without an index are one until they are signed',
    [
      { type: 'thinking', thinking: 'a', signature: null },
      { type: 'thinking', thinking: 'b', signature: 'S' },
      { type: 'thinking', thinking: 'c' },
    ],
    [
      { type: 'thinking', thinking: 'ab', signature: 'S' },
      { type: 'thinking', thinking: 'c' },
    ],
  ],
  [
    'of other types are others',
    [
      { index: 0, type: 'reasoning.summary', summary: 'a' },
      { index: 0, type: 'reasoning.encrypted', data: 'D' },
    ],
    [
      { index: 0, type: 'reasoning.summary', summary: 'a' },
      { index: 0, type: 'reasoning.encrypted', data: 'D' },
    ],
  ],
])('pieces of a list %s', (_, pieces, whole) => {
  const list: Record<string, unknown>[] = [];
  for (const piece of pieces) addPieces(list, [piece]);
  expect(list).toEqual(whole);
});
