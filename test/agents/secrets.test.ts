import { expect, test } from 'vitest';
import { parseAgentSpecs } from '../../src/agents/kinds.ts';
import { APIS, specOf } from './apis.ts';
import { makeAgent } from './ask-agent.ts';

const PASSWORD = 'pass-phrase-77';

test.each(APIS)(
  'a password in the base URL of $kind is refused and not shown',
  async ({ kind, base }) => {
    const spec = `${specOf(kind)}?base_url=${base(`http://me:${PASSWORD}@127.0.0.1:9`)}`;
    const problem = await Promise.resolve()
      .then(() => parseAgentSpecs(spec) && makeAgent(spec))
      .catch((error: Error) => error.message);
    expect(problem).toContain('without user and password');
    expect(problem).not.toContain(PASSWORD);
  },
);
