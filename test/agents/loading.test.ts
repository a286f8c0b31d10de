import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';

/** Prints the packages that are loaded when the agents are, and then when one of them is made. */
const SCRIPT = `
import { registerHooks } from 'node:module';
const packages = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url) ?? [];
    if (name !== undefined) packages.add(name);
    return resolved;
  },
});
const { createAgents } = await import(process.argv[1]);
const before = [...packages];
await createAgents({ kind: 'anthropic', target: 'm', text: 'anthropic:m' }, { suite: 's', ids: [], predictions: '' });
console.log(JSON.stringify({ before, after: [...packages] }));
`;

test('the SDKs and the price table are loaded on first use, not with the agents', () => {
  const options = ['--input-type=module', '--eval', SCRIPT, join(ROOT, 'src/agents/kinds.ts')];
  const { before, after } = JSON.parse(
    execFileSync(process.execPath, options, { encoding: 'utf8' }),
  );
  expect(before).toEqual(['fastest-levenshtein']);
  expect(after).toContain('@anthropic-ai/sdk');
  expect(after).toContain('@pydantic/genai-prices');
  expect(after).not.toContain('openai');
});
