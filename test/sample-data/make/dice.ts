import { makeJpeg } from './jpeg.ts';

/** The faces of the dice in the picture, row by row. */
export const DICE = [
  [5, 3, 6, 2],
  [4, 6, 1, 2],
] as const;

const GROUND = 90;
const FACE = 240;
const PIP = 20;

/** Where the pips of a face are, on a grid of three by three. */
const PIPS: readonly (readonly number[])[] = [
  [],
  [4],
  [0, 8],
  [0, 4, 8],
  [0, 2, 6, 8],
  [0, 2, 4, 6, 8],
  [0, 2, 3, 5, 6, 8],
];

const DIE = 7;
const PITCH = DIE + 2;

/** A grey JPEG of dice; each pip is one of the picture's blocks of 8 x 8 pixels. */
export function makeDice(): Buffer {
  const width = Math.max(...DICE.map((row) => row.length)) * PITCH + 2;
  const blocks = Array.from({ length: DICE.length * PITCH + 2 }, () => Array<number>(width).fill(GROUND));
  for (const [row, faces] of DICE.entries()) {
    for (const [column, face] of faces.entries()) drawDie(blocks, row * PITCH + 2, column * PITCH + 2, face);
  }
  return makeJpeg(blocks);
}

function drawDie(blocks: number[][], top: number, left: number, face: number): void {
  for (let y = 0; y < DIE; y += 1) blocks[top + y]?.fill(FACE, left, left + DIE);
  for (const pip of PIPS[face] ?? []) {
    const line = blocks[top + 1 + 2 * Math.floor(pip / 3)];
    if (line !== undefined) line[left + 1 + 2 * (pip % 3)] = PIP;
  }
}
