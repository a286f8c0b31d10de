import { type PastVariant, readPastVariants, toVariantsTable } from '../../reporters/past-run.ts';
import { renderTable } from '../../reporters/render.ts';
import { readRuns } from '../store/find-run.ts';
import { escapeLine, plural } from '../words/show.ts';
import { type Command, parseWords, readRunSettings } from './command.ts';

/** `viva prompts`: the prompts of earlier runs, the best first. */
export const prompts: Command = {
  usage: '(no arguments)\n  The prompts themselves are in prompts/ of each run folder.',
  page: 'tuning.md#find-an-earlier-prompt',
  run: async ({ args, env, print }) => {
    parseWords(args, {});
    const { dir } = readRunSettings(env);
    const { found, unreadable } = readRuns(dir, readTried);
    const blocks = Map.groupBy(found, ({ selection, agent, fingerprint }) =>
      JSON.stringify([selection, agent, fingerprint]),
    );
    if (found.length === 0) print(`No run in ${dir} has results yet.`);
    for (const line of [...blocks.values()].flatMap(toLines)) print(line);
    for (const line of unreadable) print(escapeLine(`not listed: ${line}`, 600));
    return 0;
  },
};

/** What a run asked with known prompts, the last asked first. */
function readTried(folder: string): readonly PastVariant[] {
  return readPastVariants(folder)
    .filter(({ prompt_hash, all }) => prompt_hash !== '' && all.states.not_run < all.n)
    .toReversed();
}

/** A block: the prompts that one agent was asked with on the same questions. */
function toLines(tried: readonly PastVariant[]): readonly string[] {
  const [first] = tried;
  if (first === undefined) return [];
  const { suite, dataset, agent, all } = first;
  const title = `${suite} · ${dataset} · ${agent} · ${plural(all.questions, 'question')}`;
  return [escapeLine(title, 600), renderTable(toPromptTable(rank(tried)))];
}

/** The newest whole run with each prompt, the best first, and how many runs asked with it. */
function rank(tried: readonly PastVariant[]): readonly Ranked[] {
  const byHash = Map.groupBy(tried, ({ prompt_hash }) => prompt_hash);
  const ranked = [...byHash.values()].flatMap((same): readonly Ranked[] => {
    // Not the best: the best of several tries would be luck.
    const shown = same.find(({ all }) => all.accuracy !== null) ?? same[0];
    return shown === undefined ? [] : [{ ...shown, runs: same.length }];
  });
  // Those without an accuracy are last.
  return ranked.toSorted((a, b) => (b.all.accuracy ?? -1) - (a.all.accuracy ?? -1));
}

type Ranked = PastVariant & { readonly runs: number };

function toPromptTable(prompts: readonly Ranked[]) {
  const file = ({ prompt }: Ranked) => /^(.*)@/.exec(prompt)?.[1] ?? '(in the eval file)';
  return toVariantsTable(
    prompts,
    { prompt: ({ prompt_hash }) => prompt_hash.slice(0, 8), file },
    { runs: ({ runs }) => String(runs), run: ({ run }) => run },
  );
}
