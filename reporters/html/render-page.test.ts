import { hash } from 'node:crypto';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { readPageFiles } from './render-page.ts';

const { style, script, policy } = readPageFiles();

test('the policy allows the page its own style and script, and nothing else', () => {
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});

test('the modules become one script that can be read, with no word of modules left', () => {
  expect(() => new Script(script)).not.toThrow();
  expect(script).not.toMatch(/^(import|export) /m);
});

test('neither can end its element', () => {
  expect(style + script).not.toMatch(/<\/(style|script)|<!--/i);
});
