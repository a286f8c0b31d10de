import { homedir } from 'node:os';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { makeFolder } from '../../../test/make-folder.ts';
import { findSourceFiles } from './source-files.ts';

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
  ['python3 $OLDPWD/agent.py', ['agent.py']],
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
