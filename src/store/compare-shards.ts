import { hash } from 'node:crypto';
import { readVersion } from '../package.ts';
import { isFields } from '../words/fields.ts';
import { cutMiddle, escapeControls, lineIf, listUp, plural } from '../words/show.ts';
import { listVariants, type SuiteManifest } from './manifest.ts';
import { nameShards, type ShardRun } from './shards.ts';

/**
 * Throws if shards asked or judged otherwise than others, in three lines: what differs, with its
 * values, and what to do. Also if none has planned a question, or another version of viva ran them.
 */
export function checkAlike(runs: readonly ShardRun[], viva = readVersion()): void {
  const planned = runs.filter(({ manifest }) => manifest.suites.length > 0);
  if (planned.length === 0) throw new Error(NOTHING);
  const facts = planned.flatMap((run) => {
    return listFacts(run).map((fact) => ({ ...fact, shard: run.shard }));
  });
  const [first, ...others] = [...Map.groupBy(facts, ({ name }) => name)].filter(([, same]) =>
    same.some(({ value }) => toKey(value) !== toKey(same[0]?.value)),
  );
  if (first !== undefined) {
    const more = others.map(([name]) => name);
    const lines = [
      `These shards differ in ${first[0]}: ${listValues(first[1])}.`,
      ...lineIf(more.length > 0, `They also differ in ${listUp(more, 4)}.`),
      'Run all shards with the same settings, files and version of viva, and merge again.',
    ];
    throw new Error(lines.map(escapeControls).join('\n'));
  }
  const version = planned[0]?.manifest.versions['viva'];
  if (version === viva) return;
  throw new Error(
    `viva ${version} ran these shards, and this is viva ${viva}.\n` +
      'Merge them with the version that ran them, or run them again.',
  );
}

const NOTHING =
  'There is nothing to merge: every shard was refused or killed before it had planned a question.\n' +
  'Run the shards again, and merge these runs.';

/** What shards must agree in. `shown` is the value for people, if not the value itself. */
type Fact = Readonly<{ name: string; value: unknown; shown?: string }>;

/** "2 in shard 2 of 3; 1 in shards 1 and 3 of 3". */
function listValues(facts: readonly (Fact & Pick<ShardRun, 'shard'>)[]): string {
  const groups = [...Map.groupBy(facts, ({ value }) => toKey(value)).values()];
  const texts = groups.map(([one]) =>
    one === undefined ? '' : (one.shown ?? showFact(one.value)),
  );
  const isClear = new Set(texts).size === texts.length;
  const named = groups.map((equal, place) => {
    const { value, shard: { count } = { count: 0 } } = equal[0] ?? {};
    const text = isClear
      ? texts[place]
      : `${texts[place]} (hash ${hash('sha256', toKey(value)).slice(0, 8)})`;
    const indices = equal.map(({ shard }) => shard.index);
    return `${text} in ${nameShards(indices, count)}`;
  });
  return named.slice(0, 3).join('; ');
}

function toKey(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function showFact(value: unknown): string {
  const text = Array.isArray(value) && value.every(isText) ? value.join(', ') : value;
  if (UNSET.some((none) => none === text)) return 'not set';
  return cutMiddle(typeof text === 'string' ? text : toKey(text));
}

const UNSET: readonly unknown[] = [null, undefined, '', false];

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Those that people know come first: a setting explains what follows from it. */
function listFacts({ manifest, end, rows }: ShardRun): readonly Fact[] {
  const { config, versions, suites } = manifest;
  const { narrowed_by: by } = end;
  // A shard that lost nothing has all suites that it was started with.
  const isSound =
    end.ended_at !== null &&
    end.stop === null &&
    [end.errors, end.refused, end.not_started].every(({ length }) => length === 0);
  const facts = {
    'the version of viva': versions['viva'],
    ...Object.fromEntries(SETTINGS.map(([key, name]) => [name, nameSpecs(config[key])])),
    '-t': by.name,
    '--tags-filter': by.tags,
    '--last-failed': by.last_failed,
    ...(isSound ? { 'the list of suites': suites.map(({ suite }) => suite).sort() } : {}),
  };
  return [...toFacts(facts), ...suites.flatMap(listSuiteFacts), ...listOrders(rows)];
}

/** The seeds of the orders of options: those of a replay are no setting of it. */
function listOrders(rows: ShardRun['rows']): readonly Fact[] {
  const seeds = rows.flatMap(({ suite, presented }) =>
    presented === undefined ? [] : ([[suite, presented.seed]] as const),
  );
  return [...new Map(seeds)].map(([suite, value]) => {
    return { name: `the seed of the order of options of ${suite}`, value };
  });
}

/** The settings that all suites have in common, by their names in the manifest. */
const SETTINGS = [
  ['judges', 'EVAL_JUDGE'],
  ['user', 'EVAL_USER'],
  ['levels', 'EVAL_LEVEL'],
  ['ids', 'EVAL_IDS'],
  ['seed', 'EVAL_SEED'],
  ['limit', 'EVAL_LIMIT'],
  ['shuffleChoices', 'EVAL_SHUFFLE_CHOICES'],
] as const;

/** Agents have a text in the manifest, which may have parameters but no key. */
function nameSpecs(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((spec: unknown) => (isFields(spec) && 'text' in spec ? spec['text'] : spec));
}

function listSuiteFacts(entry: SuiteManifest): readonly Fact[] {
  const { suite, questions, conditions, judges = [], prefer, user } = entry;
  const prompts = listVariants(entry).flatMap(({ prompt }) => prompt ?? []);
  const facts = {
    EVAL_TRIALS: entry.trials,
    'the agents': entry.agents,
    EVAL_PROMPT: [...new Set(prompts)],
    'the hash of the prompt': entry.prompt_hash,
    'the dataset': entry.dataset,
    'the hash of the dataset': entry.dataset_hash,
    'the version of the grader': entry.grader,
    public: entry.public,
    'the criterion of "prefer"': prefer?.criterion_hash,
    'the judges of "prefer"': prefer?.judges.map(({ judge, fingerprint, prompt_hash }) => [
      judge,
      fingerprint,
      prompt_hash,
    ]),
    'the simulated user': user && [user.name, user.fingerprint],
    ...Object.assign({}, ...conditions.map(listConditions)),
    ...Object.fromEntries(
      judges.map(({ judge, fingerprint, prompt_hash }) => [
        `the judge ${judge}`,
        [fingerprint, prompt_hash],
      ]),
    ),
  };
  const selection = {
    name: `the selection of ${suite}`,
    value: questions.map(({ id, group, hash: ofQuestion }) => [id, group, ofQuestion]),
    shown: plural(questions.length, 'question'),
  };
  return [...toFacts(facts, ` of ${suite}`), selection];
}

/** What the answers of an agent depend on. */
function listConditions({ agent, ...conditions }: SuiteManifest['conditions'][number]) {
  const named = {
    EVAL_TIMEOUT: conditions.timeout_seconds,
    EVAL_MAX_STEPS: conditions.max_steps,
    EVAL_CACHE_KEY: conditions.cache_key,
    'the deadlines': conditions.deadlines,
    'the code, model, parameters or tools': conditions.fingerprint,
    'the server': conditions.server,
    'the recorded prompt': conditions.recorded_prompt,
    'the recorded agent': conditions.recorded_agent,
  };
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [`${name} of ${agent}`, value]),
  );
}

function toFacts(facts: Readonly<Record<string, unknown>>, of = ''): readonly Fact[] {
  return Object.entries(facts).map(([name, value]) => ({ name: `${name}${of}`, value }));
}
