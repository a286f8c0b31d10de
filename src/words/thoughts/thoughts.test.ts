import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { readCases } from '../../../test/read-cases.ts';
import { replaceRanges } from '../ranges.ts';
import { blankThoughts, ownText, withoutThoughts } from './thoughts.ts';

function messageIn(output: string): string {
  return ownText(output).text;
}

describe('the message of the model', () => {
  it.each([
    ...'<|im_end|> <|eot_id|> <|endoftext|> <|end_of_text|> <|end|> <|return|> </s> <end_of_turn> <eos>'
      .split(' ')
      .map((mark) => [`B${mark}A`, 'B']),
    ['B [INST] Why? [/INST] A', 'B '],
    ['B\n<|im_start|>system\nBe brief.', 'B\n'],
    ['B\n<|start_header_id|> user<|end_header_id|>\nA', 'B\n'],
    ['<s>7</s>8', '<s>7'],
    ['It was <s>A<|im_end|>B', 'It was <s>A'],
  ])('ends where the model ends its message: %j', (output = '', rest = '') => {
    expect(messageIn(output)).toBe(rest);
  });

  it.each([
    ['<|im_start|>user\nA or B?<|im_end|>\n<|im_start|>assistant\nB<|im_end|>', '\nB'],
    [
      '<|begin_of_text|><|start_header_id|>user<|end_header_id|>A?<|start_header_id|>assistant<|end_header_id|>B',
      'B',
    ],
    [
      '<bos><start_of_turn>user\nA or B?<end_of_turn>\n<start_of_turn>model\nB<end_of_turn>\n',
      '\nB',
    ],
    ['<|user|>A or B?<|assistant|>B', 'B'],
    ['<s> [INST] A or B? [/INST] B</s>', ' B'],
  ])('starts after a prompt that the output repeats: %j', (output, rest) => {
    expect(messageIn(output)).toBe(rest);
  });

  it.each([
    '<|im_start|>assistant\n<|im_end|>\n<|im_start|>assistant\nB',
    '<s></s>B',
    '<|im_end|>\n</s>\n<eos>\n<end_of_turn> B',
    'The answer is B.',
    'The prompt ended with [/INST], so B.',
    '<|im_start|>user\nA or B?',
  ])('leaves an output with one message as it is: %j', (output) => {
    expect(messageIn(output)).toBe(output);
  });

  it('does not take a prompt for one that is quoted later', () => {
    expect(messageIn('B. You wrote <|im_start|>user and <|im_start|>assistant')).toBe(
      'B. You wrote ',
    );
  });
});

it.each([
  ['<|channel|>analysis<|message|>A?<|end|><|start|>assistant<|channel|>final<|message|>B', 'B'],
  ['<|channel|> \nfinal <|constrain|>json<|message|>B', 'B'],
  ['<|channel|>analysis<|message|>B', '<|channel|>analysis<|message|>B'],
  [
    `<|channel|>final${' '.repeat(41)}<|message|>B`,
    `<|channel|>final${' '.repeat(41)}<|message|>B`,
  ],
  ['<|channel|>final<|message|>42<|return|><|channel|>final<|message|>41', '42'],
])('the final channel begins after the marks of the last one: %j', (output, channel) => {
  expect(messageIn(output)).toBe(channel);
});

it.each([
  ['<think>A</think>B', '-B', false],
  ['A<thinking >B</thinking>C◁think▷D◁/think▷E', 'A-C-E', false],
  ['A</think>B[think]C[/think]D', '-B-D', false],
  ['A<think>B</think>C</think>D', '-D', false],
  ['A<think>B', 'A-', true],
  ['The tag is <think>.', 'The tag is <think>.', false],
])('leaves out what a model thinks: %j', (output, left, truncated) => {
  const found = ownText(output);
  expect([replaceRanges(found.text, found.thoughts, () => '-'), found.truncated]).toEqual([
    left,
    truncated,
  ]);
});

const cases = readCases<Readonly<Record<'rule' | 'output' | 'text', string>>>(
  './thoughts.cases.jsonl',
  import.meta.url,
);

it.each(cases)('$rule: $output', ({ output, text }) => {
  expect(withoutThoughts(output)).toBe(text);
});

it.each(cases)('what is left keeps its place in the output: $output', ({ output }) => {
  const own = ownText(output);
  expect(output.slice(own.offset).startsWith(own.text)).toBe(true);
  const blanked = blankThoughts(own);
  expect(blanked).toHaveLength(own.text.length);
  const isKept = [...blanked].every((sign, at) => /\s/.test(sign) || sign === [...own.text][at]);
  expect(isKept).toBe(true);
});

describe('long and hostile texts', () => {
  it.each([
    'It is 7. ',
    '<think>',
    '</think>',
    '<think>a</think>',
    '<thinking><reflection>',
    '<a:think><b_thought><c.d_cot>',
    '<analysis>',
    '</analysis>',
    '<b><reason></reason>!',
    'Vec<Thought> ',
    '<thought a="1" ',
    '<',
    '< ',
    '<think ',
    '<|',
    '<|im_end|>',
    '<|im_end|>a',
    '</s>',
    '<s></s>',
    'a<s>',
    '<|channel|>final<|message|>',
    '<|channel|>analysis',
    'assistantfinal',
    'analysisWe need',
    '`<think>` ',
    'use <think> tags ',
    '[INST]',
    '<response>',
    '&lt;think&gt;',
    'Here is my response:',
    ' ',
    '\u200b',
    '{"a":',
  ])('take linear time: %j', (part) => {
    const start = cpuTime();
    for (const before of ['', '<think>', 'analysis', '{'])
      withoutThoughts(before + part.repeat(Math.ceil(300_000 / part.length)));
    expect((cpuTime() - start) / 4).toBeLessThan(300);
  });
});
