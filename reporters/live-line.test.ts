import { expect, test } from 'vitest';
import { LiveLine, type TerminalStream } from './live-line.ts';

/** A terminal of so many columns: what is on its screen, line by line. */
function makeTerminal(columns = 80) {
  let written = '';
  const write = (chunk: string | Uint8Array) => {
    written += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    return true;
  };
  const stream: TerminalStream = { columns, write };
  // Clearing a line takes away what stands on it.
  const screen = () => written.split('\n').map((line) => line.split('\r\u001B[2K').at(-1) ?? '');
  return { stream, screen };
}

test('gives way to what others write, and comes back below it', () => {
  const { stream, screen } = makeTerminal();
  const line = new LiveLine(stream, [stream]);
  line.show('1/3');
  stream.write('a message\n');
  expect(screen()).toEqual(['a message', '1/3']);
  line.show('2/3');
  expect(screen()).toEqual(['a message', '2/3']);
});

test('waits for the end of a line that somebody has begun', () => {
  const { stream, screen } = makeTerminal();
  const line = new LiveLine(stream, [stream]);
  line.show('1/3');
  stream.write('a mess');
  line.show('2/3');
  stream.write(new TextEncoder().encode('age\n'));
  line.show('3/3');
  expect(screen()).toEqual(['a message', '3/3']);
});

test('is cut to the width of the terminal, since a wrapped line could not be cleared', () => {
  const { stream, screen } = makeTerminal(30);
  new LiveLine(stream, [stream]).show('x'.repeat(100));
  expect(screen()).toEqual(['x'.repeat(29)]);
});

test('leaves nothing behind', () => {
  const { stream, screen } = makeTerminal();
  const { write } = stream;
  const line = new LiveLine(stream, [stream]);
  line.show('1/3');
  line.stop();
  expect(screen()).toEqual(['']);
  expect(stream.write).toBe(write);
});
