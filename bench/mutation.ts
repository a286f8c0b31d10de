import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCopy } from './mutation/copy.ts';
import type { Mutant } from './mutation/mutants.ts';
import { runQuickPass } from './mutation/quick-pass.ts';
import { judgeSurvivors, toEntry } from './mutation/reasons.ts';
import { listFiles, ROOMS, type Room } from './mutation/rooms.ts';
import { runStryker } from './mutation/stryker-pass.ts';

const USAGE = `node bench/mutation.ts [--rooms metrics,gaia] [--files wilson.ts,rules/] [--concurrency 1]

Mutation check of metrics and scoring with Stryker, in a temporary copy of what is committed, to which it is added. A
survivor must be in bench/mutation/reasons.json with a reason, and each entry there must be a survivor: else it ends with 1.
--quick leaves out the second pass, and lists what the first one left.`;

const { values } = parseArgs({
  options: {
    rooms: { type: 'string', default: ROOMS.map(({ name }) => name).join(',') },
    files: { type: 'string', default: '' },
    concurrency: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await check();

async function check(): Promise<void> {
  const root = resolve(import.meta.dirname, '..');
  const temporary = mkdtempSync(join(tmpdir(), 'viva-mutation-'));
  try {
    const copy = join(temporary, 'copy');
    makeCopy(root, copy);
    const only = values.files.split(',').filter(Boolean);
    for (const room of ROOMS.filter(({ name }) => values.rooms.split(',').includes(name))) {
      await checkRoom(copy, room, listFiles(room, copy, only));
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function checkRoom(copy: string, room: Room, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const start = performance.now();
  const { mutants, killed, hung } = await runQuickPass(copy, room, files, Number(values.concurrency));
  const left = mutants.filter(({ id }) => !killed.has(id) && !hung.has(id));
  const quickSeconds = Math.round((performance.now() - start) / 1000);
  const first = `${mutants.length} mutants; first pass ${killed.size} killed, ${hung.size} without end, ${quickSeconds} s`;
  console.log(`${room.name}: ${files.length} files, ${first}`);
  const survivors = values.quick ? left : runStryker(copy, room, left, Number(values.concurrency));
  const seconds = Math.round((performance.now() - start) / 1000);
  const { explained, unexplained, stale } = judgeSurvivors(survivors, files);
  const dead = mutants.length - survivors.length;
  console.log(`${room.name}: ${dead} killed, ${explained.length} survive with a reason, ${seconds} s in all`);
  listEntries(`${unexplained.length} survive without a reason`, unexplained);
  if (!values.quick) listEntries(`${stale.length} reasons are for no survivor`, stale);
}

function listEntries(title: string, entries: readonly Omit<Mutant, 'id' | 'location'>[]): void {
  if (entries.length === 0) return;
  process.exitCode = 1;
  console.log(`${title}:\n${entries.map(toEntry).join(',\n')}`);
}
