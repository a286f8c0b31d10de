/** How many codes of each length there are, and the sizes they stand for: the standard's table for differences. */
const DC_LENGTHS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const DC_SIZES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/** One code alone, "0": that a block has no more than its mean. */
const AC_LENGTHS = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const AC_SIZES = [0];

/** The mean of a block counts in steps of 8 x 8 / 8 = 8; a quantum of 8 leaves whole levels of grey. */
const QUANTUM = 8;

/** A baseline JPEG of grey blocks of 8 x 8 pixels (0 black, 255 white). */
export function makeJpeg(blocks: readonly (readonly number[])[]): Buffer {
  const [width, height] = [(blocks[0]?.length ?? 0) * 8, blocks.length * 8];
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...Array<number>(64).fill(QUANTUM)]),
    segment(0xc0, [8, ...size, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, ...DC_LENGTHS, ...DC_SIZES]),
    segment(0xc4, [0x10, ...AC_LENGTHS, ...AC_SIZES]),
    segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    encode(blocks.flat()),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function segment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content]);
}

/** Each block as its difference to the one before, and the end of the block. */
function encode(levels: readonly number[]): Buffer {
  const codes = toCodes(DC_LENGTHS, DC_SIZES);
  let bits = '';
  for (const [index, level] of levels.entries()) {
    const difference = level - (index === 0 ? 128 : (levels[index - 1] ?? 0));
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
    // Negative numbers are written less one, without their sign.
    const written = difference < 0 ? difference + 2 ** size - 1 : difference;
    bits += `${codes.get(size)}${size === 0 ? '' : written.toString(2).padStart(size, '0')}0`;
  }
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes = padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  // A byte 255 in the picture gets a 0 behind it, else it would be a marker.
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
}

/** Codes count up within a length and are doubled for the next. */
function toCodes(lengths: readonly number[], sizes: readonly number[]): ReadonlyMap<number, string> {
  const codes = new Map<number, string>();
  let next = 0;
  for (const [index, count] of lengths.entries()) {
    for (let taken = 0; taken < count; taken += 1) {
      codes.set(sizes[codes.size] ?? 0, next.toString(2).padStart(index + 1, '0'));
      next += 1;
    }
    next *= 2;
  }
  return codes;
}
