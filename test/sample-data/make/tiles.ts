import { crc32, deflateSync } from 'node:zlib';

const TILES = [
  'rbygwrbbrybr',
  'bwrrbgyrbwby',
  'yrgbrwbrygrb',
  'gbbrywrgbrwy',
  'wrybgrrbywbr',
  'bgwryrbgrwyb',
  'rrbwgybrwbgr',
  'ywbrgbrybrrw',
];

const COLOURS: Readonly<Record<string, readonly [number, number, number]>> = {
  r: [210, 40, 40],
  b: [40, 70, 200],
  y: [240, 210, 60],
  g: [50, 150, 70],
  w: [245, 245, 245],
};

const SIDE = 16;

/** A PNG of coloured tiles without gaps. */
export function makeTiles(): Buffer {
  const width = (TILES[0]?.length ?? 0) * SIDE;
  const height = TILES.length * SIDE;
  const letters = Object.keys(COLOURS);
  const lines = TILES.flatMap((row) => {
    const pixels = [...row].flatMap((tile) => Array<number>(SIDE).fill(letters.indexOf(tile)));
    return Array<number[]>(SIDE).fill([0, ...pixels]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for a pixel, each a number of the palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(Object.values(COLOURS).flat())),
    // Stored, so that the bytes depend on no version of a compressor.
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
