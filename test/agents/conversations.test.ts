import { expect, test } from 'vitest';
import type { Message } from '../../src/words/sample.ts';
import { toAsked, UNLIMITED } from '../../src/words/types.fixture.ts';
import { APIS, specOf } from './apis.ts';
import { makeAgent } from './ask-agent.ts';
import { startScriptedServer } from './scripted-server.ts';

const SAID: readonly Message[] = [
  { role: 'user', content: 'A table for two.' },
  { role: 'assistant', content: 'At what time?' },
  { role: 'user', content: 'At eight.' },
];

test.each(APIS)('$kind is sent what was said before', async ({ kind, base, text }) => {
  const server = await startScriptedServer([text('Done.')]);
  const agent = await makeAgent(`${specOf(kind)}?base_url=${base(server.url)}`);
  const asked = toAsked('At eight.', { messages: SAID });
  expect(await agent.answer(asked, UNLIMITED)).toMatchObject({ output: 'Done.' });
  // Each API has its own form of a text.
  const [{ body }] = server.requests as [(typeof server.requests)[number]];
  const sent = (body.messages ?? body.input).map(
    ({ role, content }: { role: string; content: string | readonly { text: string }[] }) => ({
      role,
      content: typeof content === 'string' ? content : content.map((part) => part.text).join(''),
    }),
  );
  expect(sent).toEqual(SAID);
});
