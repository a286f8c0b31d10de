const MESSAGE = 'copper kettle';

export const MORSE: Readonly<Record<string, string>> = {
  c: '-.-.',
  e: '.',
  k: '-.-',
  l: '.-..',
  o: '---',
  p: '.--.',
  r: '.-.',
  t: '-',
};

const RATE = 4_000;
/** Samples of a dot, which is a twentieth of a second. */
export const DOT = RATE / 20;
/** A whole number of samples for each swing of the tone: 500 Hz. */
const SWING = [0, 64, 90, 64, 0, -64, -90, -64];

/** A WAV recording (8 bits, one channel) of a message in Morse code, with half a second of silence on both sides. */
export function makeMorse(): Buffer {
  const silence = (dots: number) => Buffer.alloc(dots * DOT, 128);
  const words = MESSAGE.split(' ').map((word) => {
    const letters = [...word].map((letter) => {
      const signs = [...(MORSE[letter] ?? '')].map((sign) => makeTone(sign === '-' ? 3 : 1));
      return join(signs, silence(1));
    });
    return join(letters, silence(3));
  });
  const sound = Buffer.concat([silence(10), join(words, silence(7)), silence(10)]);
  return Buffer.concat([makeHeader(sound.length), sound]);
}

function makeTone(dots: number): Buffer {
  return Buffer.from(Array.from({ length: dots * DOT }, (_, index) => 128 + (SWING[index % SWING.length] ?? 0)));
}

function join(parts: readonly Buffer[], between: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [between, part])));
}

function makeHeader(length: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  // Plain samples, one channel.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(length, 40);
  return header;
}
