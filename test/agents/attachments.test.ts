import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeFile } from '../make-folder.ts';
import { apiOf } from './apis.ts';
import { askAgent } from './ask-agent.ts';
import { type Reply, startScriptedServer } from './scripted-server.ts';

const FIXTURES = 'test/fixtures/attachments';
const RECORDED = 'speech.wav';
const RECORDING = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(40)]);

const toBase64 = (name: string) => readFileSync(join(FIXTURES, name), 'base64');

/** Asks an agent whose model reads one attachment first; what the server was asked, in order. */
async function ask(
  kind: string,
  name: string,
  parameters = '',
  transcription: Reply = { body: { text: 'seven\ngeese' } },
) {
  const path = name === RECORDED ? makeFile(name, RECORDING) : join(FIXTURES, name);
  const { base, call, text } = apiOf(kind);
  const server = await startScriptedServer((request) =>
    request.path.endsWith('/audio/transcriptions')
      ? transcription
      : JSON.stringify(request.body).includes('c1')
        ? text('done')
        : call('read_attachment', { name }),
  );
  vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
  const answer = await askAgent(`${kind}:m?base_url=${base(server.url)}${parameters}`, {
    attachments: [{ name, path }],
  });
  expect(answer.output).toBe('done');
  const asked = server.requests.filter(({ path }) => !path.includes('transcriptions'));
  expect(asked).toHaveLength(2);
  return { answer, requests: server.requests, followUp: asked[1]?.body };
}

describe('a picture goes', () => {
  const text = expect.stringContaining('red.png: png picture');
  const url = `data:image/png;base64,${toBase64('red.png')}`;

  test('to the Responses API as a part of the result', async () => {
    const { followUp, answer } = await ask('openai', 'red.png');
    expect(followUp.input.at(-1)).toEqual({
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text },
        { type: 'input_image', image_url: url, detail: 'auto' },
      ],
    });
    // A trace says what was shown, and does not repeat the picture.
    expect(answer.trace?.[0]?.tool_calls).toMatchObject([
      { name: 'read_attachment', result: text, failed: false },
    ]);
  });

  test('to the chat API as a message after the result, which has text alone there', async () => {
    const { followUp } = await ask('openai-chat', 'red.png');
    expect(followUp.messages.slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: text },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What the tools above returned: "red.png"' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
  });

  test('to the Messages API as a block of the result', async () => {
    const { followUp, answer } = await ask('anthropic', 'blue.jpg');
    const shown = expect.stringContaining('blue.jpg: jpeg picture');
    expect(followUp.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: [
            { type: 'text', text: shown },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/jpeg', data: toBase64('blue.jpg') },
            },
          ],
        },
      ],
    });
    expect(answer.trace?.[0]?.tool_calls).toMatchObject([{ result: shown, failed: false }]);
  });

  test('nowhere with images=off', async () => {
    const { followUp, answer } = await ask('openai', 'red.png', '&images=off');
    expect(JSON.stringify(followUp)).not.toContain(toBase64('red.png'));
    const result = expect.stringContaining('It cannot be shown to this model.');
    expect(answer.trace?.[0]?.tool_calls).toMatchObject([{ result, failed: true }]);
  });
});

describe('a PDF goes', () => {
  const data = `data:application/pdf;base64,${toBase64('tides.pdf')}`;
  const text =
    'tides.pdf: PDF, pages: 2. Its text can also be read, with part 1. It comes with this result.';

  test('to the Responses API as a file', async () => {
    const { followUp } = await ask('openai', 'tides.pdf');
    expect(followUp.input.at(-1).output).toEqual([
      { type: 'input_text', text },
      { type: 'input_file', filename: 'tides.pdf', file_data: data },
    ]);
  });

  test('to the Messages API as a document', async () => {
    const { followUp } = await ask('anthropic', 'tides.pdf');
    expect(followUp.messages.at(-1).content[0].content).toEqual([
      { type: 'text', text },
      {
        type: 'document',
        title: 'tides.pdf',
        source: { type: 'base64', media_type: 'application/pdf', data: toBase64('tides.pdf') },
      },
    ]);
  });

  test('to the chat API as text, or with pdfs=on as a file', async () => {
    const { followUp } = await ask('openai-chat', 'tides.pdf');
    expect(followUp.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('Wed  04:55  17:20'),
    });
    const shown = await ask('openai-chat', 'tides.pdf', '&pdfs=on');
    expect(shown.followUp.messages.at(-1).content[1]).toEqual({
      type: 'file',
      file: { filename: 'tides.pdf', file_data: data },
    });
  });

  test('nowhere when it is locked: an API would end the conversation over it', async () => {
    const { followUp, answer } = await ask('openai', 'locked.pdf');
    expect(followUp.input.at(-1).output).toContain('"locked.pdf" is encrypted');
    expect(answer.trace?.[0]?.tool_calls).toMatchObject([{ failed: true }]);
  });
});

describe('a recording', () => {
  test.each([
    ['openai', '', 'whisper-1'],
    ['openai-chat', '&transcribe=my-model', 'my-model'],
    ['anthropic', '', 'whisper-1'],
  ])('is transcribed for %s%s', async (kind, parameters, model) => {
    const { requests, answer } = await ask(kind, RECORDED, parameters);
    const upload = requests.find(({ path }) => path === '/v1/audio/transcriptions');
    expect(upload?.body).toContain(`name="model"\r\n\r\n${model}\r\n`);
    expect(upload?.body).toContain('filename="recording.wav"');
    expect(upload?.body).toContain('WAVEfmt');
    const result = '[speech.wav | part 1 of 1]\nseven\ngeese';
    expect(answer.trace?.[0]?.tool_calls).toMatchObject([{ result, failed: false }]);
  });

  test('is a clear error with transcribe=off', async () => {
    const { answer } = await ask('openai', RECORDED, '&transcribe=off');
    const result = expect.stringContaining('which this agent can neither hear nor transcribe');
    expect(answer.trace?.[0]?.tool_calls).toMatchObject([{ result, failed: true }]);
  });

  test('that a server does not transcribe now ends the sample, which another time may answer', async () => {
    const error = { error: { message: 'not now' } };
    const failing = { status: 500, body: error, headers: { 'x-should-retry': 'false' } };
    const asking = ask('anthropic', RECORDED, '', failing);
    await expect(asking).rejects.toMatchObject({ name: 'AgentError', kind: 'server' });
  });
});
