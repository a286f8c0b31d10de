import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { anchorNamedFiles } from './named-files.ts';

const FILES = {
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
  const root = makeFolder(FILES);
  expect(anchorNamedFiles(line, root)).toBe(anchored.replaceAll('ROOT', root));
});
