import { describe, expect, onTestFinished, test } from 'vitest';
import { callOdd, KEY, LIMITS, oddServer, openOdd } from '../../../test/mcp/open-odd.ts';
import { openServer } from './open-servers.ts';

describe('the result of an MCP tool', { timeout: 30_000 }, () => {
  test.each([
    ['fail', 'Error: that went wrong', true],
    ['nothing', '(the tool returned nothing)', false],
    ['structured', '{"a":1}', false],
    ['key', 'the key is [key]', false],
    ['environment', 'API_KEY,PATH,VIVA_PROCESS', false],
  ])('%s: the model is told %j', async (name, output, failed) => {
    const { tools } = await openOdd('good');
    const result = await callOdd(tools, name);
    // Some systems add a variable of their own to every process.
    const told = result.output.split(',').filter((word) => !/^(PWD|OLDPWD|SHLVL|_|__CF.*)$/.test(word));
    expect({ output: told.join(), failed: result.failed }).toEqual({ output, failed });
  });

  test('passes pictures, sound and files on, and says what cannot be shown', async () => {
    const { tools } = await openOdd('good');
    const { output, media } = await callOdd(tools, 'files');
    expect(output.split('\n')).toEqual([
      'image 1: png picture, 1 x 1 pixels. It comes with this result.',
      '["image 2" is a broken png picture: it may have been cut off.]',
      '["image 3" is a TIFF picture, a format that no model is shown (PNG, JPEG, GIF and WebP are).]',
      'audio 4: wav recording. It comes with this result.',
      'inside',
      '[x://b.txt]',
      'hi',
      'elsewhere: x://c',
    ]);
    expect(media).toMatchObject([
      { kind: 'image', mediaType: 'image/png' },
      { kind: 'audio', mediaType: 'audio/wav' },
    ]);
  });

  test.each([
    ['nonsense', 'its reply is not valid: content'],
    ['broken', 'its reply is not valid: content.0.data: Invalid Base64 string'],
  ])('a result that is none (%s) is told to the model, and the server goes on', async (name, message) => {
    const { tools } = await openOdd('good');
    const result = await callOdd(tools, name);
    expect(result).toMatchObject({ failed: true, output: expect.stringContaining(message) });
    expect((await callOdd(tools, 'echo', { text: 1 })).failed).toBe(false);
  });

  test('has no key in its structure, also where JSON writes a part of it in another way', async () => {
    const key = 'ab"cd\\efgh-1234';
    const server = { ...oddServer('good'), secrets: [key] };
    const { tools, close } = await openServer({ ...server, env: { ...server.env, API_KEY: key } }, LIMITS);
    onTestFinished(close);
    const { output } = await callOdd(tools, 'structured_key');
    expect(JSON.parse(output)).toEqual({ 'of [key]': ['[key]', { deep: 'it is [key].' }] });
  });

  test('has no key in the name of a file either', async () => {
    const { tools } = await openOdd('good');
    const result = await callOdd(tools, 'named');
    expect(result.media).toMatchObject([{ name: 'x://[key].png', kind: 'image' }]);
    expect(JSON.stringify(result)).not.toContain(KEY);
  });
});
