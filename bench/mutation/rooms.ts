import { globSync } from 'node:fs';

/** A part of the code whose mutants its own tests must kill. */
export type Room = { readonly name: string; readonly folder: string };

export const ROOMS: readonly Room[] = [
  { name: 'metrics', folder: 'src/metrics' },
  { name: 'gaia', folder: 'src/scoring/gaia' },
  { name: 'mcq', folder: 'src/scoring/mcq' },
  { name: 'outputs', folder: 'src/scoring/outputs' },
];

/** Tests, their data, and lists of words, whose tests are the case tables. */
const LEFT_OUT = /\.(?:test|fixture)\.ts$|\/(?:cases|words)\//;

/** The files of a room whose mutants are tried, of those that contain one of `only` when there are any. */
export function listFiles({ folder }: Room, root: string, only: readonly string[]): readonly string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((file) => !LEFT_OUT.test(file))
    .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
    .sort();
}
