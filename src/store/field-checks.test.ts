import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { toTrials } from '../figures/result.fixture.ts';
import { readRun } from './run-reader.ts';

test.each<[string, RegExp, string, string]>([
  ['manifest.json', /"version": ?1/, '"version": 2', 'manifest.json: version must be 1, got 2.'],
  [
    'manifest.json',
    /"questions": ?/,
    '"gone": ',
    'suites[0].questions must be an array, got nothing',
  ],
  [
    'samples.jsonl',
    /"state":"correct"/,
    '"state":"right"',
    'line 1: state must be one of correct,',
  ],
  ...(
    [
      [
        '"scores":{"a":2}',
        'scores.a must be true, false, null or a number from 0 to 1, got number',
      ],
      ['"scores":[]', 'scores must be an object, got list'],
      ['"groups":{"topic":1}', 'groups.topic must be a string, got number'],
      ['"first_token_ms":"1"', 'first_token_ms must be a number, got text'],
    ] as const
  ).map(([field, message]): [string, RegExp, string, string] => [
    'samples.jsonl',
    /"trial":1/,
    `"trial":1,${field}`,
    message,
  ]),
  ['samples.jsonl', /^.*\n/, 'null\n', 'line 1: it must be an object, got null'],
  ['end.json', /"stop": ?null/, '"stop": "no"', 'stop must be one of interrupted, bail, got "no"'],
  ['end.json', /"errors": ?\[\]/, '"errors": [1]', 'errors[0] must be a string, got number'],
])(
  '%s with %s changed to %j is refused with its place and field',
  (name, before, after, message) => {
    const folder = makeRun(toTrials('a', '+'), { end: {} });
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    const damaged = text.replace(before, after);
    expect(damaged).not.toBe(text);
    writeFileSync(file, damaged);
    expect(() => readRun(folder)).toThrow(message);
    expect(() => readRun(folder)).toThrow(file);
  },
);
