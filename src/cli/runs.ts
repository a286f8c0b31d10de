import { type PastSide, readPastSides } from '../../reporters/past-sides.ts';
import { renderTable } from '../../reporters/render.ts';
import { formatAccuracy, formatInterval, formatTime, formatTotalCost } from '../../reporters/tables.ts';
import { listRuns } from '../store/find-run.ts';
import { escapeJson, escapeLine } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import { type Command, parseWords, readRunSettings } from './command.ts';

/** `viva runs`: the runs of EVAL_DIR with their figures, the newest first. */
export const runs: Command = {
  name: 'runs',
  summary: 'lists earlier runs with accuracy, cost and latency, the newest first',
  usage: '[--suite NAME] [--json]',
  run: async ({ args, env, print }) => {
    const { suite, json } = parseWords(args, OPTIONS).values;
    const { dir } = readRunSettings(env);
    const { sides, unreadable } = readAll(dir);
    const chosen = sides.filter((side) => suite === undefined || side.suite === suite);
    if (json === true) print(escapeJson({ version: 1, runs: chosen.map(toJson), unreadable }, 2));
    else if (chosen.length > 0) print(renderTable(toTable(chosen)).trimEnd());
    else print(`No run in ${dir} has results${suite === undefined ? '' : ` of suite ${escapeLine(suite)}`} yet.`);
    if (json !== true) for (const line of unreadable) print(escapeLine(`not listed: ${line}`, 600));
    return 0;
  },
};

const OPTIONS = { suite: { type: 'string' }, json: { type: 'boolean' } } as const;

/** A folder that is no run, or that another version wrote, must not hide the others. */
function readAll(dir: string): { readonly sides: readonly PastSide[]; readonly unreadable: readonly string[] } {
  const unreadable: string[] = [];
  const sides = listRuns(dir)
    .toReversed()
    .flatMap((folder) => {
      try {
        return readPastSides(folder);
      } catch (error) {
        unreadable.push(messageOf(error));
        return [];
      }
    });
  return { sides, unreadable };
}

const COLUMNS: readonly (readonly [head: string, align: 'left' | 'right', cell: (side: PastSide) => string])[] = [
  ['run', 'left', ({ run }) => run],
  ['started', 'left', ({ started_at }) => started_at.slice(0, 16).replace('T', ' ')],
  ['suite', 'left', ({ suite }) => suite],
  ['dataset', 'left', ({ dataset }) => dataset],
  ['agent', 'left', ({ agent }) => agent],
  ['prompt', 'left', ({ prompt }) => prompt],
  ['n', 'right', ({ all }) => String(all.n)],
  ['accuracy', 'right', ({ all }) => formatAccuracy(all)],
  ['95 % interval', 'right', ({ all }) => formatInterval(all.ci95)],
  ['median', 'right', ({ all }) => formatTime(all.median_latency_ms, all.median_censored)],
  ['cost', 'right', ({ all }) => formatTotalCost(all)],
];

function toTable(sides: readonly PastSide[]) {
  const rows = sides.map((side) => COLUMNS.map(([, , cell]) => cell(side)));
  return { align: COLUMNS.map(([, align]) => align), rows: [COLUMNS.map(([head]) => head), ...rows] };
}

function toJson({ folder: _folder, selection: _selection, all, ...side }: PastSide) {
  return { ...side, ...all };
}
