import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { describeMissingCommand } from './missing-command.ts';

test.each([
  ['pyhton x.py', 'pyhton'],
  ['./agnet.sh', './agnet.sh'],
  ['/no/such/program', '/no/such/program'],
  ['sh agent.sh', null],
  ['/bin/sh agent.sh', null],
  ['cd /tmp && pyhton x.py', null],
  ['if true; then echo 17; fi', null],
  ['PATH=bin:$PATH pyhton x.py', null],
  ['"pyhton" x.py', null],
  ['$PYTHON x.py', null],
  ['f() { echo 17; }; f', null],
])('of %s the missing command is %s', (target, missing) => {
  const said = describeMissingCommand({ kind: 'command', target, text: `command:${target}` }, makeFolder());
  if (missing === null) expect(said).toBeNull();
  else expect(said).toContain(`: command not found: ${missing}. Correct`);
});

test('a relative path starts at the root', () => {
  const root = makeFolder({ 'bin/agent.sh': '#!/bin/sh' });
  const spec = { kind: 'command', target: 'bin/agent.sh', text: 'command:bin/agent.sh' } as const;
  chmodSync(join(root, 'bin/agent.sh'), 0o755);
  expect(describeMissingCommand(spec, root)).toBeNull();
  expect(describeMissingCommand(spec, join(root, 'bin'))).toContain('command not found: bin/agent.sh');
});
