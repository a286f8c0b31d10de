import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { quoteForShell, splitShellWords } from './shell-words.ts';

describe('splitShellWords', () => {
  test.each([
    ['python3 agent.py --config=a.json', ['python3', 'agent.py', '--config=a.json']],
    [`'my agent.py' "a b" c\\ d e'f'"g"`, ['my agent.py', 'a b', 'c d', 'efg']],
    ['cat<in.txt|tee out.txt&&x;y', ['cat', 'in.txt', 'tee', 'out.txt', 'x', 'y']],
    ['node $HOME/a.ts "$X" *.py `x` a{1,2} ~/b', ['node', null, null, null, null, null, null]],
    ['run a.py # not b.py\nthen c#d', ['run', 'a.py', 'then', 'c#d']],
    [`say 'open`, ['say', 'open']],
    ['', []],
  ])('finds the words of %j', (line, values) => {
    expect(splitShellWords(line).map(({ value }) => value)).toEqual(values);
  });

  test('tells commands, arguments and what is written to', () => {
    const words = splitShellWords('A=1 ./x in.txt >out.txt 2>&1 | ./y z; ./w');
    expect(words.filter(({ isCommand }) => isCommand).map(({ value }) => value)).toEqual(['A=1', './x', './y', './w']);
    expect(words.filter(({ isTarget }) => isTarget).map(({ value }) => value)).toEqual(['out.txt', '1']);
  });

  test.each(["'", '"', '\\', '$(', '"\\', '>', "a'"])('takes a time that grows with the line: %j', (piece) => {
    const start = cpuTime();
    splitShellWords(piece.repeat(20_000));
    expect(cpuTime() - start).toBeLessThan(1000);
  });
});

test.each(['plain', "it's", '$HOME `x` "y"', "''", 'a\nb'])('quotes %j as one word that means itself', (text) => {
  expect(splitShellWords(quoteForShell(text)).map(({ value }) => value)).toEqual([text]);
});
