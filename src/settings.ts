import {
  listAgentForms,
  listJudgeForms,
  parseAgentSpecs,
  parseJudgeSpecs,
  parseUserSpec,
} from './agents/kinds.ts';
import { suggestSpec } from './agents/meant-spec.ts';
import { findPriceProblems, type PriceTable } from './agents/price.ts';
import type { AgentSpec } from './agents/spec.ts';
import type { Split } from './data/gaia.ts';
import { HUB_SOURCE_FORM, isHubSource, parseHubSource } from './data/hub/hub-source.ts';
import { parseShape, SHAPE_FORM } from './data/shape.ts';
import { omitNullish } from './words/fields.ts';
import { maskKeys } from './words/secrets.ts';
import {
  anyText,
  flag,
  listOf,
  numberFrom,
  oneOf,
  pathsOfSuites,
  SEED,
  type ValueParser,
  wholeNumber,
} from './words/setting-values.ts';
import { quote, showValue } from './words/show.ts';
import { didYouMean, suggest } from './words/similar-names.ts';

/** Upper bounds: more than anybody needs, and what a run can hold in memory. */
const MOST = {
  trials: 1000,
  concurrency: 1000,
  samples: 1_000_000,
  steps: 10_000,
  dollars: 1_000_000,
} as const;

/** All agents that settings name: those that are asked, judges, and who plays users. */
export function listSpecs({
  agents,
  judges,
  user,
}: Pick<EvalConfig, 'agents' | 'judges' | 'user'>): readonly AgentSpec[] {
  return [agents ?? [], judges ?? [], user ?? []].flat();
}

/** A deadline in seconds. Node's timers take at most 2^31 - 1 ms and fire at once above that. */
export const SECONDS = numberFrom(0.001, 2_147_483, 'a number of seconds');

const SEVERAL = 'several separated by commas';

/** The kinds of agents are known only when vitest.config.ts has registered its own. */
function specs<T>(listForms: () => string, parse: (text: string) => T | null | undefined) {
  const parser: ValueParser<T> = {
    get allowed() {
      return listForms();
    },
    parse: (text) => parse(text) ?? undefined,
  };
  return parser;
}

/**
 * Every setting: the name of its environment variable and what it accepts. docs/settings.md says
 * what each does.
 */
const SETTINGS = {
  agents: ['EVAL_AGENT', specs(() => `${listAgentForms()}, ${SEVERAL}`, parseAgentSpecs)],
  judges: ['EVAL_JUDGE', specs(() => `${listJudgeForms()}, ${SEVERAL}`, parseJudgeSpecs)],
  user: ['EVAL_USER', specs(listJudgeForms, (text) => parseUserSpec(text, 'EVAL_USER'))],
  gaia: [
    'EVAL_GAIA',
    { allowed: `a folder or file with GAIA records, or ${HUB_SOURCE_FORM}`, parse: parseSource },
  ],
  split: ['EVAL_SPLIT', oneOf('validation', 'test')],
  mcq: [
    'EVAL_MCQ',
    { allowed: `a file with multiple-choice questions, or ${HUB_SOURCE_FORM}`, parse: parseSource },
  ],
  mcqFields: ['EVAL_MCQ_FIELDS', { allowed: SHAPE_FORM, parse: parseShape }],
  skipBad: ['EVAL_SKIP_BAD', flag()],
  shuffleChoices: ['EVAL_SHUFFLE_CHOICES', SEED],
  prompts: [
    'EVAL_PROMPT',
    pathsOfSuites(
      'files separated by commas, as in a.md,b.md or gaia=a.md,mcq=b.md; "own" is the prompt of the suite',
    ),
  ],
  levels: [
    'EVAL_LEVEL',
    listOf('1, 2, 3 or several of them separated by commas', (level) => /^[123]$/.test(level)),
  ],
  ids: [
    'EVAL_IDS',
    listOf(
      'ids separated by commas; * matches any characters, ? matches one, ! before an id leaves it out',
      (id) => id !== '',
    ),
  ],
  seed: ['EVAL_SEED', SEED],
  limit: ['EVAL_LIMIT', wholeNumber(1, MOST.samples)],
  trials: ['EVAL_TRIALS', wholeNumber(1, MOST.trials)],
  concurrency: ['EVAL_CONCURRENCY', wholeNumber(1, MOST.concurrency)],
  timeoutSeconds: ['EVAL_TIMEOUT', SECONDS],
  maxSteps: ['EVAL_MAX_STEPS', wholeNumber(1, MOST.steps)],
  cache: ['EVAL_CACHE', oneOf('on', 'off', 'refresh', 'only', 'retry')],
  cacheKey: ['EVAL_CACHE_KEY', anyText('any text')],
  agentWrites: [
    'EVAL_AGENT_WRITES',
    listOf('files and folders separated by commas', (path) => path !== ''),
  ],
  tools: ['EVAL_TOOLS', oneOf('off', 'record', 'replay', 'auto')],
  maxCost: ['EVAL_MAX_COST', numberFrom(0.000001, MOST.dollars, 'US dollars')],
  dryRun: ['EVAL_DRY_RUN', flag()],
  minAccuracy: ['EVAL_MIN_ACCURACY', numberFrom(0, 1)],
  baseline: ['EVAL_BASELINE', anyText('an earlier run (its folder or name), or latest')],
  mcp: ['EVAL_MCP', anyText('a file with "mcpServers", or off')],
  stream: ['EVAL_STREAM', flag()],
  keepWorkdir: ['EVAL_KEEP_WORKDIR', oneOf('failed', 'all', 'none')],
  dir: ['EVAL_DIR', anyText('a folder')],
  failures: ['EVAL_FAILURES', oneOf('lines', 'full')],
  showGated: ['EVAL_SHOW_GATED', flag()],
} as const satisfies Record<string, readonly [name: string, parser: ValueParser<unknown>]>;

type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends readonly [
    string,
    ValueParser<infer T>,
  ]
    ? T
    : never;
};

/**
 * The settings of a run, null if not set. If `agents` is null, each suite uses its own agent or
 * sample predictions.
 */
export type EvalConfig = {
  readonly [K in keyof Settings]: Settings[K] | null;
} & Readonly<{
  dir: string;
  trials: number;
  /** How many calls of one provider may run at once. */
  concurrency: number;
  split: Split;
  cache: 'on' | 'off' | 'refresh' | 'only' | 'retry';
  tools: 'off' | 'record' | 'replay' | 'auto';
  prices: PriceTable;
  /** Whether EVAL_AGENT named the agents. Committed defaults must not start a paid run. */
  agentsNamed: boolean;
  /** Whether EVAL_TRIALS or a committed default sets `trials`. */
  trialsSet: boolean;
  /** Whether this runs in CI, where gated records are not shown. */
  ci: boolean;
}>;

/**
 * Defaults that a project commits in vitest.config.ts. The environment overrides them. Agents, judges and
 * who plays users are named as in the environment, such as 'openai:MODEL'.
 */
export type EvalDefaults = Partial<Omit<Settings, Speaker>> & {
  readonly [K in Speaker]?: string;
} & {
  /** USD per million tokens, by model name. These override the prices of the price package. */
  readonly prices?: PriceTable;
};

/** All problems of the settings, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the EVAL_* variables of an environment. Throws a ConfigError that lists every unknown name
 * and every value that is not allowed, so that no call is made with settings that the user did not
 * mean.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  defaults: EvalDefaults = {},
  file = 'vitest.config.ts',
): EvalConfig {
  const problems = unknownNames(env);
  const values: Record<string, unknown> = {};
  for (const [key, [name, parser]] of Object.entries(SETTINGS)) {
    const value = env[name]?.trim() ?? '';
    const parsed = value === '' ? null : parser.parse(value);
    if (parsed === undefined) {
      const meant = isSpeaker(key) ? suggestSpec(value) : '';
      problems.push(`${name} must be ${parser.allowed}, got ${showText(name, env[name])}.${meant}`);
    }
    values[key] = parsed ?? null;
  }
  problems.push(...findDefaultProblems(defaults).map((problem) => `${file}: ${problem}`));
  if (problems.length > 0) throw new ConfigError(problems);
  return complete(values as { [K in keyof Settings]: Settings[K] | null }, defaults, env);
}

const SPEAKERS = ['agents', 'judges', 'user'] as const;
type Speaker = (typeof SPEAKERS)[number];

function isSpeaker(key: string): key is Speaker {
  return SPEAKERS.some((name) => name === key);
}

/**
 * As `readConfig`, but only these settings have a value. The names of all others are checked too: a
 * misspelt one must not be left out unnoticed.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  keys: readonly (keyof Settings)[],
): EvalConfig {
  const others = Object.entries(SETTINGS).flatMap(([key, [name]]) =>
    keys.some((wanted) => wanted === key) ? [] : [[name, undefined] as const],
  );
  return readConfig({ ...env, ...Object.fromEntries(others) });
}

/** Values for settings that neither the environment nor vitest.config.ts sets. */
const USUAL = {
  dir: '.evals',
  trials: 1,
  concurrency: 20,
  split: 'validation',
  cache: 'on',
  tools: 'off',
} as const;

function complete(
  named: { readonly [K in keyof Settings]: Settings[K] | null },
  defaults: EvalDefaults,
  env: Readonly<Record<string, string | undefined>>,
): EvalConfig {
  return {
    ...named,
    ...USUAL,
    ...omitNullish({ ...defaults, ...readSpeakers(defaults) }),
    ...omitNullish(named),
    prices: defaults.prices ?? {},
    agentsNamed: named.agents !== null,
    trialsSet: (named.trials ?? defaults.trials ?? null) !== null,
    ci: env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false' && env['CI'] !== '0',
  };
}

function readSpeakers(defaults: EvalDefaults): Pick<EvalConfig, Speaker> {
  const read = <T>(key: Speaker, [, { parse }]: readonly [string, ValueParser<T>]): T | null =>
    parse(defaults[key] ?? '') ?? null;
  return {
    agents: read('agents', SETTINGS.agents),
    judges: read('judges', SETTINGS.judges),
    user: read('user', SETTINGS.user),
  };
}

/**
 * Checks single values: no type checker reads vitest.config.ts before a run. Others check lists and
 * objects.
 */
function findDefaultProblems({ prices = {}, ...settings }: EvalDefaults): readonly string[] {
  const values: readonly (readonly [string, unknown])[] = Object.entries(settings);
  const problems = values.flatMap(([key, value]) => findDefaultProblem(key, value) ?? []);
  return [...problems, ...findPriceProblems(prices)];
}

function findDefaultProblem(key: string, value: unknown): string | null {
  const settings = Object.entries(SETTINGS);
  const [, parser] = settings.find(([name]) => name === key)?.[1] ?? [];
  if (parser === undefined) {
    const names = [...settings.map(([name]) => name), 'prices'];
    return `${quote(key)} in "defaults" is not a setting.${didYouMean(key, names)}`;
  }
  const isText = value !== undefined && value !== null && typeof value !== 'object';
  const parsed = isText ? parser.parse(String(value)) : value;
  const isRight = isSpeaker(key) ? (value ?? '') === '' || parsed !== undefined : parsed === value;
  if (isRight) return null;
  const meant = isSpeaker(key) && isText ? suggestSpec(String(value)) : '';
  return `"${key}" must be ${parser.allowed}, got ${showValue(value)}.${meant}`;
}

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.values(SETTINGS).map(([name]) => name);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('EVAL_') && !names.some((other) => other === name),
  );
  return unknown.map(
    (name) => `${name} (${showText(name, env[name])}) is not a setting.${suggest(name, names)}`,
  );
}

/** A value in quotes, masked if its form or its variable's name says that it is a key. */
function showText(name: string, value = ''): string {
  return quote(maskKeys(`${name}=${value}`).slice(name.length + 1));
}

function parseSource(value: string): string | undefined {
  return isHubSource(value) && parseHubSource(value) === null ? undefined : value;
}
