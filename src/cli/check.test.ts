import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startFakeHub } from '../../test/hub/fake-hub.ts';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { runViva } from '../../test/run-viva.ts';

const toGaia = (answer: string, fields = {}) =>
  JSON.stringify({
    task_id: 't1',
    Question: 'How many?',
    Level: 1,
    'Final answer': answer,
    file_name: '',
    ...fields,
  });

describe('viva check', () => {
  test('shows what a multiple-choice file contains', async () => {
    const path = write('q.csv', [
      'id,question,A,B,C,answer,Subject,remark',
      'q1,Which?,x,y,all of the above,C,Law,',
      'q2,Which?,p,q,r,"A,B",Law,odd',
      'q3,which? ,Y,X,All of the above,A,Art,',
      'q4,Where?,x,x,none of the above,C,,',
      'q5,Who?,x,y,z,none,Art,',
    ]);
    const { code, printed } = await run([path]);
    expect(printed).toEqual([
      expect.stringMatching(/^mcq · /),
      '',
      '  layout        Usual names: 5 records, read from "id" (id), "question" (question), "A to C" (options), "answer" (answer), "Subject" (group).',
      '  questions     5',
      '  groups        Art 2, Law 2, no subject 1',
      '  duplicates    q1 = q3',
      '  options       3 options 5 (100.0 %)',
      '  answers       A 1 (20.0 %), C 2 (40.0 %), several 1 (20.0 %), NONE 1 (20.0 %)',
      '  empty fields  "Subject" in 1, "remark" in 4',
      '  shape         {"id":"id","input":"question","choices":["A","B","C"],"answer":"answer","group":"Subject","hides":"whole file"}',
      '',
      '  q1 (expected "C")',
      ...['Which?', '', 'A. x', 'B. y', 'C. all of the above'].map((line) => `    ${line}`),
      '',
      '  q2 (expected "A,B")',
      ...['Which?', '', 'A. p', 'B. q', 'C. r'].map((line) => `    ${line}`),
      '',
      '  q3 (expected "A")',
      ...['which?', '', 'A. Y', 'B. X', 'C. All of the above'].map((line) => `    ${line}`),
    ]);
    expect(code).toBe(0);
  });

  test.each([
    ['>', true],
    ['!?', true],
    ['inf', true],
    ['→', false],
    ['1/2', false],
    ['a, b', false],
  ])('warns of an expected answer %s that any answer matches: %s', async (answer, isWarned) => {
    const { printed } = await run([
      write('g.jsonl', [toGaia('3', { task_id: 't0' }), toGaia(answer)]),
    ]);
    const warning =
      "  matched by all  GAIA's official rule deletes punctuation and reads words as infinity, so wrong answers match the expected ones of t1. Write them in words, or score them by a rule of your own.";
    expect(printed.includes(warning)).toBe(isWarned);
  });

  test('shows what bad records EVAL_SKIP_BAD leaves out, and all of them without it', async () => {
    const path = write('g.jsonl', [
      toGaia('3'),
      toGaia('4', { task_id: 't2', Level: 9 }),
      '{"half',
    ]);
    const refused = await run([path]);
    expect(refused.code).toBe(1);
    const { printed } = await run([path], { EVAL_SKIP_BAD: '1' });
    expect(printed.join('\n')).toMatch(/left out +2 bad records: \S+g\.jsonl:2, \S+g\.jsonl:3\n/);
  });

  test('recognises GAIA by its records and by its folder', async () => {
    const lines = [
      toGaia('3', { file_name: 'a.CSV' }),
      toGaia('x, y', { task_id: 't2', Question: 'Which?' }),
      toGaia('?', { task_id: 't3', Question: 'Who?' }),
    ].join('\n');
    const folder = makeFolder({
      'set/validation/metadata.jsonl': lines,
      'set/validation/a.CSV': 'x',
    });
    const byFile = await run([join(folder, 'set/validation/metadata.jsonl')]);
    const byFolder = await run([join(folder, 'set')]);
    for (const line of [
      'gaia · set/validation',
      '  note          1 of 3 questions has no known answer and is not graded.',
      '  duplicates    none',
      '  expected      list 1 (33.3 %), number 1 (33.3 %), hidden 1 (33.3 %)',
      '  attachments   .csv 1 (100.0 %)',
      '  t1 (expected "3"; a.CSV)',
      '  t3 (hidden)',
    ])
      expect(byFile.printed).toContain(line);
    expect(byFolder.printed).toEqual(byFile.printed);
  });

  test('shows the records of an unknown suite, from a file or a folder', async () => {
    const lines = [
      'id,input,target,topic,mood',
      'a,1+1?,2,sums,',
      'b,2+0?,2,sums,x',
      'c,Why?,,words,y',
    ];
    const path = write('own.csv', lines);
    const { code, printed } = await run([path]);
    expect(printed[1]).toMatch(/^records · /);
    expect(printed).toContain('  groups        sums 2, words 1');
    expect(printed).toContain('  expected      1 different in 2, the most frequent in 2 (100.0 %)');
    expect(printed.slice(-3)).toEqual(['', '  c (hidden)', '    Why?']);
    expect(code).toBe(0);
    expect((await run([dirname(path)])).printed.slice(2)).toEqual(printed.slice(2));
    expect((await run([path], { CI: 'true' })).printed.join()).not.toContain('1+1?');
  });

  test('reads a dataset of the Hub, with the layout that --as names', async () => {
    const files = {
      'data/test.jsonl': '{"question": "Why?", "answer": "x"}\n',
      'metadata.jsonl': toGaia('3'),
    };
    const hub = await startFakeHub({ name: 'own/set', files });
    const env = { HF_ENDPOINT: hub.url, HF_HOME: makeFolder() };
    const { code, printed } = await run(['hf:own/set', '--as', 'gaia'], env);
    expect([code, printed[0]]).toEqual([0, expect.stringMatching(/^gaia · /)]);
  });

  test('names the ids whose expected answers have thousands separators', async () => {
    const answers = ['299,792,458', '299792458', '1,000 apples', '1234,567'];
    const lines = answers.map((answer, index) => toGaia(answer, { task_id: `t${index}` }));
    const { printed } = await run([write('metadata.jsonl', lines)]);
    expect(printed).toContain(
      '  thousands     The official rule reads 299,792,458 as a list, so 299792458 is wrong. ' +
        'Write numbers without separators in t0, t2.',
    );
  });

  test('shows how each recorded output is read, and hides outputs in CI', async () => {
    const path = write('q.csv', [
      'id,question,A,B,answer',
      'q1,Which?,tea,milk,A',
      'q2,Who?,x,y,B',
    ]);
    const predictions = write('p.jsonl', [
      '{"id": "q1", "output": "If cold, the answer is B.\\nAnswer: A"}',
      '{"id": "q2", "output": "Nobody knows."}',
    ]);
    const { code, printed } = await run([path, '--read', predictions]);
    expect(code).toBe(0);
    expect(
      printed.slice(printed.indexOf('q1: expected "A", read "A" (statement), correct')),
    ).toEqual([
      'q1: expected "A", read "A" (statement), correct',
      expect.stringMatching(/^ {2}- 1:14 "answer is B" says "B" \(statement\): /),
      ...Array(5).fill(expect.stringMatching(/^ {2}[-+] /)),
      '',
      'q2: expected "B", read nothing (no answer found), no_answer, not certain',
      '  nothing states an answer; it ends "Nobody knows."',
      '',
      '2 outputs read: 1 surely, 0 with doubt, 1 not at all',
    ]);
    const hidden = await run([path, '--read', predictions], { CI: 'true' });
    expect([hidden.code, hidden.printed.join()]).toEqual([1, expect.not.stringContaining('cold')]);
  });

  test('reads predictions of a table, and counts what it cannot read', async () => {
    const path = write('q.csv', [
      'id,question,A,B,answer',
      'q1,Which?,tea,milk,A',
      'q2,Who?,x,y,B',
      'q3,Why?,x,y,B',
    ]);
    const table = write('p.csv', ['id,response,error', 'q1,Answer: A,None', 'q2,,no route']);
    const { code, printed } = await run([path, '--read', table]);
    expect([code, printed.at(-1)]).toEqual([
      0,
      '1 output read: 1 surely, 0 with doubt, 0 not at all; 1 has no text to read, 1 was not recorded',
    ]);
    const lines = write('p.jsonl', [
      '{"id": "q1", "output": null}',
      '{"id": "q2", "output": {"choice": "B"}}',
      '{"id": "q3", "error": "no route"}',
    ]);
    expect((await run([path, '--read', lines])).printed.at(-1)).toBe(
      '0 outputs read: 0 surely, 0 with doubt, 0 not at all; 3 have no text to read',
    );
    const bare = write('p.jsonl', ['{"id": "q1", "model_answer": "A"}']);
    expect((await run([path, '--read', bare])).printed.at(-1)).toContain(
      '; 1 is a bare answer, scored as it is, 2 were not recorded',
    );
    const foreign = await run([path, '--read', write('p.jsonl', ['{"id": "x", "output": "A"}'])]);
    expect(foreign.printed.join()).toContain(
      'first id is "x". Name those of this dataset, or check the dataset that they are for.',
    );
  });

  test('shows verdicts of accepted lists, and what a suite of your own does instead', async () => {
    const path = write('q.jsonl', [
      '{"id": "q1", "question": "who wrote it", "subj": "s", "prop": "p", "obj": "o", "possible_answers": ["Ann", "Bo"]}',
    ]);
    const predictions = write('p.jsonl', ['{"id": "q1", "output": "FINAL ANSWER: Bo"}']);
    const said =
      'A suite of your own compares the whole output, unless its eval file says otherwise. This shows the final answers that EVAL_GAIA would read.';
    for (const [as, isSaid] of [
      ['gaia', false],
      ['records', true],
    ] as const) {
      const { printed } = await run([path, '--as', as, '--read', predictions]);
      expect(printed.includes(said)).toBe(isSaid);
      expect(printed.find((line) => line.startsWith('q1: '))).toMatch(/read "Bo" .*, correct/);
    }
  });

  test('counts empty fields of the records that are read', async () => {
    const path = write('g.jsonl', [
      toGaia('3', { remark: 'x' }),
      toGaia('4', { task_id: 't2', Level: 9, remark: '' }),
    ]);
    const { printed } = await run([path], { EVAL_SKIP_BAD: '1' });
    expect(printed).toContain('  empty fields  "file_name" in 1');
  });

  test('says which fields it looks for', async () => {
    const path = write('q.csv', ['x,y', '1,2']);
    const { printed } = await run([path]);
    expect(printed[0]).toBe(
      'Read as the data of your own suite. --as gaia reads it as EVAL_GAIA does, --as mcq as EVAL_MCQ does.',
    );
    expect(printed[1]).toContain('(the record has "x", "y"). Call it "input" or "question"');
    expect((await run([path, '--as', 'mcq'])).printed[0]).toContain(
      'Use "question", "options" and "answer"',
    );
  });
});

function write(name: string, lines: readonly string[]): string {
  return makeFile(name, lines.join('\n'));
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, output } = await runViva(['check', ...args], env);
  return { code, printed: output.split('\n') };
}
