import { expect, test } from 'vitest';
import type { TraceCall } from '../words/answer.ts';
import { findCopy } from './find-copy.ts';

const QUESTION =
  'In which year did the oldest lighthouse keeper of the northern coast of Made-up Land retire, according to the almanac?';
const REST = `${QUESTION.split(' ').slice(5, 17).join(' ')}`;
const CHINESE = '在虚构之地的北部海岸上年纪最大的灯塔看守人是在哪一年根据年鉴退休的呢请回答';

const call = (args: string, result: string | null, rest: Partial<TraceCall> = {}): TraceCall => {
  return { name: 'search', arguments: args, result, failed: false, ...rest };
};

function find(
  calls: readonly TraceCall[],
  input = QUESTION,
  { hasContext = false, isGaia = true, others = [] as readonly string[] } = {},
) {
  const step = { text: null, reasoning: null, stop: null, usage: null, tool_calls: calls };
  const questions = [input, ...others].map((text) => ({ input: text }));
  return findCopy([step], { input }, { isGaia, hasContext, questions });
}

test.each<[string, TraceCall, string?]>([
  ['the whole question', call('lighthouse', `1. ${QUESTION}\n2. x`)],
  ['twelve words of it', call('lighthouse', `so ${REST.toUpperCase()}!`)],
  [
    'a copy in JSON',
    call('x', JSON.stringify(JSON.stringify({ q: QUESTION.replaceAll(' ', '\n') }))),
  ],
  ['a copy with marks', call('x', QUESTION.replaceAll(' ', ' **'))],
  ['more than the query had', call(`{"q":"${QUESTION.slice(0, 60)}"}`, QUESTION)],
  [
    'a short question',
    call('x', 'Who was the last keeper of Old Point?'),
    'Who was the last keeper of Old Point?',
  ],
  ['a Chinese question', call('x', `问：${CHINESE.slice(0, 30)}`), CHINESE],
])('sees %s', (_, seen, input) => {
  expect(find([call('a', 'b'), seen], input)).toBe('text');
});

test.each<[string, TraceCall, string?, boolean?]>([
  ['the query in its result', call(`{"query":"${QUESTION}"}`, `Results for "${QUESTION}": none`)],
  [
    'a cut query in its result',
    call(`{"query":"${QUESTION}"}`, `Results for ${QUESTION.slice(0, 90)}...`),
  ],
  ['eleven words', call('x', REST.split(' ').slice(2).join(' '))],
  ['words in another order', call('x', QUESTION.split(' ').toReversed().join(' '))],
  ['a very short question', call('x', 'Who was the last keeper?'), 'Who was the last keeper?'],
  ['what the question quotes', call('x', REST), `Who wrote "${REST}" first?`],
  ['the passage above the question', call('x', QUESTION), `${QUESTION}\n\nWhy?`, true],
])('takes no notice of %s', (_, seen, input, hasContext) => {
  expect(find([seen], input, { hasContext })).toBe('none');
});

const STEM =
  'Which one of the following statements about the northern coast and its people is certainly true';

test.each<[string, string, readonly string[], string]>([
  ['a stem that another question has', `${STEM}?`, [`${STEM}: 1, 2?`, 'Why?'], 'none'],
  ['the same with marks', STEM, [`${STEM.replaceAll(' ', ' *')} in 1950?`], 'none'],
  ['what follows the stem', `${STEM} in the year 1960?`, [`${STEM} in 1950?`], 'text'],
  ['a question that is there twice', STEM, [STEM], 'text'],
])('compares with the other questions: %s', (_, input, others, expected) => {
  expect(find([call('x', `An exam. ${input}`)], input, { others })).toBe(expected);
});

const PAGE = '{"url":"https://huggingface.co/datasets/gaia-benchmark/GAIA"}';

test("sees pages of GAIA's copies, where GAIA is asked", () => {
  expect(find([call(PAGE, 'Files and versions')])).toBe('page');
  expect(find([call('x', 'task_id,Question,Level,Final answer\n1,Why?,1,Because')])).toBe('page');
  expect(find([call(PAGE, 'the page was not shown', { failed: true })])).toBe(undefined);
  expect(find([call(PAGE, 'Files and versions')], QUESTION, { isGaia: false })).toBe('none');
});

test('says nothing where no tool returned anything', () => {
  expect(find([])).toBe(undefined);
  expect(find([call('x', null)])).toBe(undefined);
  expect(find([call('x', QUESTION, { failed: true })])).toBe(undefined);
  // Its files belong to the question.
  expect(find([call('x', QUESTION, { name: 'read_attachment' })])).toBe(undefined);
});
