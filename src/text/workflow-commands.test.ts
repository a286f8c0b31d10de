import { expect, test } from 'vitest';
import { disarmCommands } from './workflow-commands.ts';

test.each([
  ['::error title=x::y', '\\::error title=x::y'],
  ['x\n::stop-commands::abc\n', 'x\n\\::stop-commands::abc\n'],
  ['x\n \u3000\t::warning::y', 'x\n \u3000\t\\::warning::y'],
  ['\u001B[31m::add-mask::17', '\u001B[31m\\::add-mask::17'],
  ['say ##[add-mask]17, ##VSO[task.x]', 'say ##\\[add-mask]17, ##\\VSO[task.x]'],
])('breaks the command in %j', (text, expected) => {
  expect(disarmCommands(text)).toBe(expected);
});

test.each(['std::move(x)', ':x:', 'a ::b::', '## [x]', '\n\n', ''])('leaves %j as it is', (text) => {
  expect(disarmCommands(text)).toBe(text);
});
