import { homedir } from 'node:os';
import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { anchorNamedFiles, findSourceFiles, quoteForShell, splitShellWords } from './source-files.ts';

const FILES = { 'agent.py': '', 'a/in.json': '', 'a/b/deep.py': '', run: '', 'k.txt': '', 'log.txt': '' };

/** Lines say ROOT where the folder's path stands, and HOMEWARD for the way to it from the user's folder. */
function find(line: string) {
  const root = makeFolder(FILES);
  const written = line.replaceAll('ROOT', root).replaceAll('HOMEWARD', relative(homedir(), root));
  const { files, unread } = findSourceFiles(written, root);
  return { files: files.map((file) => relative(root, file)), unread };
}

test.each([
  ['run agent.py ROOT/k.txt agent.py --in=a/in.json >log.txt missing.py', ['run', 'agent.py', 'k.txt', 'a/in.json']],
  ['sh -c "python3 ROOT/agent.py"', ['agent.py']],
  [`bash -lc 'exec env X=1 python3 ROOT/agent.py <ROOT/k.txt >ROOT/log.txt'`, ['agent.py', 'k.txt']],
  [`sh -c "sh -c 'python3 ROOT/agent.py'"`, ['agent.py']],
  ['cd ROOT/a && python3 b/deep.py; cat in.json', ['a/b/deep.py', 'a/in.json']],
  ['cd -- ROOT/a; cd b; python3 deep.py', ['a/b/deep.py']],
  ['sh -c "cd ROOT/a && python3 b/deep.py"', ['a/b/deep.py']],
  ['python3 ~/HOMEWARD/agent.py', ['agent.py']],
  ['X=~/HOMEWARD/agent.py python3 "$HOME/HOMEWARD/k.txt"', ['agent.py', 'k.txt']],
  ['python3 ROOT/ag*.py ROOT/?.txt ROOT/[!x]un', ['agent.py', 'k.txt', 'run']],
  ['P=ROOT; python3 $P/agent.py "$P/k.txt"', ['agent.py', 'k.txt']],
  ['my-agent --fast', []],
])('sees the files of %j', (line, files) => {
  expect(find(line)).toEqual({ files, unread: [] });
});

test.each([
  ['python3 $AGENTS/agent.py', ['$AGENTS/agent.py']],
  ['sh -c "python3 $AGENTS/agent.py"', ['$AGENTS/agent.py']],
  ['`which agent` x', ['`which', 'agent`']],
  ['python3 $(dirname x)/agent.py', ['$']],
  ['python3 "$AGENTS/my agent.py"', ['"$AGENTS/my agent.py"']],
  [`awk '{ print $NF, $1 }'`, []],
])('says what only the shell can work out of %j', (line, unread) => {
  expect(find(line).unread).toEqual(unread);
});

test('goes on below a word that it cannot read', () => {
  expect(find('sh -c "cd $X; python3 ROOT/agent.py"').files).toEqual(['agent.py']);
});

test.each(["'", '"', '\\', '$(', '"\\', '>', "a'", "' x ", '$x ', '~', '='])(
  'takes a time that grows with %j',
  (piece) => {
    const start = cpuTime();
    findSourceFiles(piece.repeat(20_000), makeFolder());
    expect(cpuTime() - start).toBeLessThan(2000);
  },
);

const NAMED_FILES = {
  'agent.py': '',
  'a/in.json': '',
  run: '',
  'my file.txt': '',
  'log.txt': '',
  'x=y.txt': '',
  'k.txt': '',
};

test.each([
  ['python3 agent.py', "python3 'ROOT/agent.py'"],
  ['./run a/in.json', "'ROOT/run' 'ROOT/a/in.json'"],
  ['x --config=a/in.json', "x --config='ROOT/a/in.json'"],
  ['CONFIG=./a/in.json x', "CONFIG='ROOT/a/in.json' x"],
  ['x "my file.txt" | y <agent.py', "x 'ROOT/my file.txt' | y <'ROOT/agent.py'"],
  ['x x=y.txt', "x 'ROOT/x=y.txt'"],
  ['x "--a b=k.txt"', "x '--a b=''ROOT/k.txt'"],
  // A plain word, a command of PATH, a file that is written to, a folder, and what the shell itself works out.
  ['run run', 'run run'],
  ['x >log.txt', 'x >log.txt'],
  ['x a . ..', 'x a . ..'],
  ['x $PWD/agent.py "$(cat agent.py)"', 'x $PWD/agent.py "$(cat agent.py)"'],
  ['x missing.py', 'x missing.py'],
])('anchors %j', (line, anchored) => {
  const root = makeFolder(NAMED_FILES);
  expect(anchorNamedFiles(line, root)).toBe(anchored.replaceAll('ROOT', root));
});

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
