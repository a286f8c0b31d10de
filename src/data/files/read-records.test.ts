import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFile, makeFolder } from '../../../test/make-folder.ts';
import { parseJson } from './json-records.ts';
import { readRecords } from './read-records.ts';
import { RecordError } from './record.ts';
import { parseTable } from './table.ts';

describe('JSON', () => {
  it.each<[string, readonly number[], string?]>([
    ['{"a":1}\n{"a":2}\n', [1, 2], 'a.jsonl'],
    ['\uFEFF{"a":1}\r\n\r\n  \n{"a":2}\r\n', [1, 4], 'a.jsonl'],
    ['{"a":"x\u2028y"}\n{"a":2}', [1, 2], 'a.jsonl'],
    ['[{"a":1},{"a":2}]', [1, 1]],
    ['\uFEFF\n[\r\n  {"a":1},\r\n  {"a":\r\n2},\r\n  3]', [3, 4, 6]],
    ['[\n"a,]\\"\\\\",\n"b"]', [2, 3]],
    ['\n\n{\n"a": 1\n}\n', [3]],
    ['{\n"n": [1],\n"re\\"s[" : \n[\n{"a":1},\n{"a":\n2}],\n"next": null}\n', [5, 6]],
    ['{"rows":[]}', [1]],
  ])('%j has records on lines %j', async (text, lines, file = 'a.json') => {
    expect((await read(file, text)).records.map(({ line }) => line)).toEqual(lines);
  });

  it('never reads the list inside a record as the records', async () => {
    const { records } = await read('a.json', '{"question":"x",\n"choices":["a","b"]}');
    expect(records).toEqual([{ line: 1, value: { question: 'x', choices: ['a', 'b'] } }]);
    const options = { question: 'x', choices: [{ label: 'A', text: 'a' }], answer: 'A' };
    expect((await read('a.json', JSON.stringify(options))).records).toEqual([
      { line: 1, value: options },
    ]);
  });

  it.each<[string, string, readonly object[]]>([
    [
      'by id, in their order',
      '{\n"2": {"question": "x", "n": 1},\n"1": {"question": "y", "task_id": "t"}\n}',
      [
        { line: 2, value: { id: '2', question: 'x', n: 1 } },
        { line: 3, value: { question: 'y', task_id: 't' } },
      ],
    ],
    [
      'by id in a field',
      '{"version": 2, "data": {\n"a": {"prompt": "x"}}}',
      [{ line: 2, value: { id: 'a', prompt: 'x' } }],
    ],
    [
      'by id with names that nobody knows',
      '{"a": {"q": 1, "gold": 2}, "b": {"q": 3, "gold": 4}}',
      [
        { line: 1, value: { id: 'a', q: 1, gold: 2 } },
        { line: 1, value: { id: 'b', q: 3, gold: 4 } },
      ],
    ],
    [
      'in columns',
      '{"question": ["x", "y"], "options": [["a", "b"], ["c"]]}',
      [
        { line: 1, value: { question: 'x', options: ['a', 'b'] } },
        { line: 1, value: { question: 'y', options: ['c'] } },
      ],
    ],
    [
      'in columns of one row',
      '{"question": ["x"], "answer": ["4"]}',
      [{ line: 1, value: { question: 'x', answer: '4' } }],
    ],
    [
      'in a list with a member that is none',
      '{"data": [{"question": "x"},\n{"question": "y"},\n3]}',
      [
        { line: 1, value: { question: 'x' } },
        { line: 2, value: { question: 'y' } },
        { line: 3, value: 3 },
      ],
    ],
    [
      'in columns of pandas',
      '{"question": {"0": "x", "1": "y"}, "answer": {"0": 1, "1": 1.10}}',
      [
        { line: 1, value: { question: 'x', answer: 1 }, written: { question: 'x', answer: 1 } },
        {
          line: 1,
          value: { question: 'y', answer: 1.1 },
          written: { question: 'y', answer: '1.10' },
        },
      ],
    ],
  ])('reads records %s', async (_, text, records) => {
    expect((await read('a.json', text)).records).toEqual(records);
  });

  it.each([
    '{"question": {"stem": "x", "n": 1}, "answer": {"stem": "y", "n": 2}}',
    '{"question": ["x", "y"], "answer": "z"}',
    '{"q": {"text": "x"}, "gold": {"text": "y"}}',
    '{"input": [{"role": "user"}], "tags": ["x", "y"]}',
    '{"question": "x", "options": ["a", "b"], "answer": ["a"]}',
    '{"item": {"question": "x"}, "sample": {"output_text": "y"}}',
    '{"datasource_item": {"question": "x"}}',
    '{"row": {"question": "x"}}',
  ])('reads %s as one record', async (text) => {
    expect((await read('a.json', text)).records).toEqual([{ line: 1, value: JSON.parse(text) }]);
  });

  it.each([
    ['{"question": ["2+2?", "3+3?"], "answer": ["4"]}', '("question" has 2, "answer" has 1)'],
    ['{"prompt": ["x"], "options": ["a", "b"]}', '("prompt" has 1, "options" has 2)'],
    [
      '{"v": 1, "question": ["x", "y"], "answer": ["4", "6"]}',
      '("v" has none, "question" has 2, "answer" has 2)',
    ],
    [
      '{"question": {"0": "x", "1": "y"}, "answer": {"0": "4"}}',
      '("question" has 2, "answer" has 1)',
    ],
  ])('refuses the columns %s, which do not fit together', async (text, counts) => {
    expect(await refusal('a.json', text)).toBe(
      `a.json:1: the fields look like columns, but have different rows ${counts}. Write one object for each record, or as many values in each column.`,
    );
  });

  it('reads a single line that wraps a record as one record', async () => {
    const line = '{"item": {"question": "x"}, "sample": {"output_text": "y"}}';
    expect((await read('a.jsonl', line)).records).toEqual([{ line: 1, value: JSON.parse(line) }]);
  });

  it('refuses an id that an object has twice', async () => {
    expect(await refusal('a.json', '{"a": {"input": 1},\n"a": {"input": 2}}')).toBe(
      'a.json:2: the id is already on line 1, got "a". Give each record its own id, or leave one of the two out.',
    );
  });

  it('refuses an object with two lists of records', async () => {
    expect(await refusal('a.json', '\n{"a":[{"b":1}],\n"c":[{"d":1}]}')).toBe(
      'a.json:2: "a" and "c" are both lists of records. Write each to a separate file.',
    );
  });

  it('knows the line of every element', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (values) => {
        const sources = values.map((value) => JSON.stringify(value, null, 1));
        const records = parseJson('a.json', `[\n${sources.join(',\n')}\n]`);
        const starts = sources.map(
          (_, index) =>
            2 + sources.slice(0, index).join('\n').split('\n').length - (index === 0 ? 1 : 0),
        );
        expect(records.map(({ line }) => line)).toEqual(starts);
        expect(records.map(({ value }) => value)).toEqual(JSON.parse(`[${sources.join(',')}]`));
      }),
    );
  });
});

describe('a JSON number', () => {
  const NUMBERS =
    '[12345678901234567890,-9007199254740993,1.10,3.14159265358979323846,2.0,-0,1e3,1.5,7,1e400]';
  const value = [
    '12345678901234567890',
    '-9007199254740993',
    1.1,
    Math.PI,
    2,
    -0,
    1000,
    1.5,
    7,
    Infinity,
  ];
  const kept = { 2: '1.10', 3: '3.14159265358979323846' };
  const written = Object.assign([...value], kept);

  it.each([
    ['a.jsonl', `{"a":{"b":${NUMBERS}}}\n{"a":1.5}`],
    ['a.json', `[{"a":{"b":${NUMBERS}}},{"a":1.5}]`],
    ['a.json', `{"rows":[{"a":{"b":${NUMBERS}}},{"a":1.5}]}`],
  ])(
    'keeps all its digits, as text where a number has not all of them (%s: %s)',
    async (file, text) => {
      const { records } = await read(file, text);
      expect(records[0]).toEqual({
        line: 1,
        value: { a: { b: value } },
        written: { a: { b: written } },
      });
      expect(records[1]).toMatchObject({ value: { a: 1.5 } });
    },
  );

  it('is as JSON.parse reads it in a record that loses none', async () => {
    const text =
      '{"level":1.0,"index":0,"big":9007199254740991,"text":"1.10 and 12345678901234567890"}';
    expect((await read('a.jsonl', text)).records).toEqual([{ line: 1, value: JSON.parse(text) }]);
  });
});

describe('CSV', () => {
  it('counts lines over quoted line breaks, blank rows, a byte order mark and CRLF', async () => {
    const text = '\uFEFFa,b\r\n1,"x\r\ny"\r\n\r\n,\r\n2,"say ""hi"", z"\r\n3,';
    expect((await read('a.csv', text)).records).toEqual([
      { line: 2, value: { a: '1', b: 'x\ny' } },
      { line: 6, value: { a: '2', b: 'say "hi", z' } },
      { line: 7, value: { a: '3', b: '' } },
    ]);
  });

  it.each([
    ['a;b\n1;"2, 3"', { a: '1', b: '2, 3' }],
    ['a\tb\n1\t2;3', { a: '1', b: '2;3' }],
    ['a,b,,\n1,2,,', { a: '1', b: '2' }],
    ['__proto__,b\n1,2', JSON.parse('{"__proto__":"1","b":"2"}')],
  ])('reads %j', async (text, value) => {
    expect((await parseTable('a.csv', text)).records).toEqual([{ line: 2, value }]);
  });

  it.each<[string, string, readonly object[]]>([
    ['inches', 'a\tb\n6" pipe\t"x\n', [{ a: '6" pipe', b: '"x' }]],
    ['a quotation', 'a\tb\n"Hi" he said\tx\n', [{ a: '"Hi" he said', b: 'x' }]],
    [
      'a quotation over two rows',
      'a\tb\n"To be\tx\nnot to be"\ty\n',
      [
        { a: '"To be', b: 'x' },
        { a: 'not to be"', b: 'y' },
      ],
    ],
    ['cells in quotes', 'a\tb\n"say ""hi"""\t"x\ny"\n', [{ a: 'say "hi"', b: 'x\ny' }]],
  ])('of tabs keeps quotes that are part of a text: %s', async (_, text, values) => {
    expect((await read('a.tsv', text)).records.map(({ value }) => value)).toEqual(values);
  });

  it.each([
    [
      'an unclosed quote',
      'a,b\n1,2\n3,"4\n5,6\n',
      'a.csv:3: the row that starts here is not valid CSV (Quote Not Closed: the parsing is finished with an opening quote at line 4). Put cells with quotes or line breaks into double quotes.',
    ],
    [
      'a cell too many',
      'a,b\n1,2,3\n',
      'a.csv:2: the row has 3 columns, the header has 2. Put cells that contain the separator into double quotes.',
    ],
    ['a column twice', 'a,a\n1,2\n', 'a.csv:1: "a" is the name of two columns. Rename one.'],
    ['a header alone', 'a,b\n', 'a.csv: the file has no records. Check the path.'],
    [
      'blank rows alone',
      ',\n,\n',
      'a.csv: the table has no rows. Write a header row and the records.',
    ],
  ])('refuses %s', async (_, text, message) => {
    expect(await refusal('a.csv', text)).toBe(message);
  });
});

describe('files', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['empty text', '\uFEFF \n', 'a.jsonl: the file is empty. Check the path.'],
    [
      'Latin-1',
      Buffer.from('{"a":1}\n{"a":"\xe9"}\n', 'latin1'),
      'a.jsonl: the text is not valid UTF-8. Save the file as UTF-8.',
    ],
    [
      'UTF-16 without a mark',
      Buffer.from('{"a":1}', 'utf16le'),
      'a.jsonl: the text is UTF-16, not UTF-8. Save the file as UTF-8.',
    ],
  ])('refuses %s', async (_, content, message) => {
    expect(await refusal('a.jsonl', content)).toBe(message);
  });

  it('refuses a missing file, a folder and a device', async () => {
    const folder = makeFolder({ 'inner/x': '' });
    symlinkSync('/dev/zero', join(folder, 'endless'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const device = 'a file was expected, got a device or pipe. Name the file with the records.';
    for (const [name, message] of [
      ['gone.jsonl', 'no such file. Check the path.'],
      ['inner/x/y', 'no such file'],
      ['inner', 'a file was expected, got a folder. Name the file with the records.'],
      ['endless', device],
      ['pipe', device],
    ] as const)
      await expect(readRecords(join(folder, name))).rejects.toThrow(`${name}: ${message}`);
  });
});

function read(name: string, content: string | Uint8Array) {
  return readRecords(makeFile(name, content));
}

async function refusal(name: string, content: string | Uint8Array): Promise<string> {
  const error = await read(name, content).catch((reason: unknown) => reason);
  if (!(error instanceof RecordError))
    throw new Error(`expected a RecordError, got ${String(error)}`);
  return error.message.replace(/^\S*\/(?=a\.)/, '');
}
