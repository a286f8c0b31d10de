import type { HubSource } from '../src/data/hub/hub-source.ts';
import type { ToolUse } from '../src/words/answer.ts';
import type { GroupSummary, ScoreFigures, SuiteSummary } from '../src/words/figures.ts';
import { lineIf, partOf, plural } from '../src/words/show.ts';
import { formatScore } from './format-figures.ts';

/** Who answered which questions. */
export type Subject = Readonly<{
  suite: string;
  dataset: Readonly<{
    name: string;
    hash: string;
    /** The commit on the Hub; null where it is not known, as for local files. */
    revision: string | null;
    hub: HubSource | null;
    /** How many questions it has; 0 where the run does not say. */
    questions: number;
    /** How many of its records were left out as bad. */
    leftOut: number;
  }>;
  agent: Readonly<{
    /** As EVAL_AGENT names it; of a replay of a run, that which was asked. */
    name: string;
    /** The replay that gave its answers again; null for an agent that was asked. */
    replay: string | null;
    /** Whether the answers are those of a file, which does not say how they were made. */
    isFile: boolean;
    /** The kind of a model that viva itself asked, its name and its parameters; null for any other. */
    asked: Readonly<{
      kind: string;
      model: string;
      params: readonly (readonly [name: string, value: string])[];
    }> | null;
    /** The models as their provider names them. */
    models: readonly string[];
    /** The address of a model server that is not the provider's own. */
    server: string | null;
    /** Null for an agent to which viva gives no tools. */
    tools: ToolUse | null;
  }>;
}>;

/** What may be quoted of a suite, agent and prompt. */
export type Quotable = Subject &
  Readonly<{
    /** Whether not everybody may read the records. */
    isPrivate: boolean;
    figures: SuiteSummary;
    /** The figures of group "all". */
    all: GroupSummary;
    /** Rates of 0 to 1. The error is null for one question or cluster. */
    accuracy: number;
    ci95: readonly [number, number];
    standardError: number | null;
    trials: number;
    /** The hash is "" where the prompt is not known. */
    prompt: Readonly<{ hash: string; name: string }>;
    /** Settings that differ from the defaults, by name. */
    settings: readonly (readonly [name: string, value: string])[];
    /** How long each question might take; null where that differs or is not known. */
    deadlineSeconds: number | null;
    /** The models that played users. */
    users: readonly string[];
    /** The days, as in 2026-11-23. */
    answered: Readonly<{ first: string; last: string }>;
    /** `builtIn` is null where code of the suite graded, `rule` where GAIA's rules did not. */
    grading: Readonly<{
      viva: string;
      grader: number;
      builtIn: 'gaia' | 'mcq' | null;
      rule: string | null;
    }>;
    /** What a reader needs and the run does not know. */
    missing: readonly Gap[];
  }>;

/** What may be quoted, or why there is nothing. */
export type Quotation = Quotable | (Subject & Readonly<{ why: string }>);

export function isQuotable(quotation: Quotation): quotation is Quotable {
  return !('why' in quotation);
}

/** What a reader of a figure needs and its run does not know. */
export type Gap = Readonly<{
  what: string;
  /**
   * Where the figure would mislead without it: as a result of a model, or beside others on the
   * leaderboard of a benchmark. Absent where it suffices to say so.
   */
  misleads?: Place;
}>;

type Place = 'result' | 'leaderboard';

type Facts = Omit<Quotable, 'missing'>;

type Kind = Readonly<{ misleads?: Place; find(facts: Facts): readonly string[] }>;

const KINDS: readonly Kind[] = [
  {
    misleads: 'result',
    find: ({ agent }) =>
      lineIf(
        agent.isFile && agent.models.length === 0,
        'the model that answered, which the predictions do not name',
      ),
  },
  {
    misleads: 'leaderboard',
    find: ({ agent: { isFile, asked, models, name } }) =>
      lineIf(
        !isFile && asked === null && models.length === 0,
        `the model that ${name} asked: return "model" with its answers`,
      ),
  },
  {
    misleads: 'leaderboard',
    find: ({ agent: { models } }) =>
      lineIf(models.length > 1, `one model: the answers name ${models.length}`),
  },
  {
    misleads: 'leaderboard',
    find: ({ prompt }) => lineIf(prompt.hash === '', 'the prompt of the predictions'),
  },
  { find: ({ agent }) => lineIf(agent.isFile, 'when and with which parameters it answered') },
  {
    find: ({ agent: { isFile, asked } }) =>
      lineIf(!isFile && asked === null, 'parameters and tools of the agent, which is code'),
  },
  {
    misleads: 'leaderboard',
    find: ({ dataset: { hub, revision } }) =>
      lineIf(
        hub === null || revision === null,
        'a revision of the dataset: it was not read from the Hub',
      ),
  },
  {
    misleads: 'leaderboard',
    find: ({ all, dataset }) =>
      lineIf(
        all.questions < dataset.questions,
        `the other questions: ${partOf(all.questions, dataset.questions, 'question', 'was', 'were')} asked`,
      ),
  },
  {
    misleads: 'leaderboard',
    find: ({ all: { questions, graded_questions } }) =>
      lineIf(
        graded_questions < questions,
        `the expected answers of ${plural(questions - graded_questions, 'question')}`,
      ),
  },
  {
    misleads: 'leaderboard',
    find: ({ dataset: { leftOut } }) =>
      lineIf(leftOut > 0, `${plural(leftOut, 'bad record')}, left out`),
  },
  {
    find: ({ grading }) =>
      lineIf(grading.builtIn === null, "a second grading: the suite's own code gave the verdicts"),
  },
  {
    find: ({ all: { scores = {} } }) =>
      Object.entries(scores).flatMap(([name, figures]) =>
        lineIf(figures.mean === null, describeOpenScore(name, figures)),
      ),
  },
  {
    find: ({ figures: { judges = [] } }) =>
      lineIf(
        judges.some(({ calibration }) => calibration === null),
        'the errors of its judges, which people have not labelled',
      ),
  },
];

/** "the score depth: 1 of 10 results has no value (in 0.512 - 0.613)" */
function describeOpenScore(name: string, figures: ScoreFigures): string {
  const { open, n } = figures;
  return open === undefined
    ? `the score ${name}: no result has a value`
    : `the score ${name}: ${partOf(open, n + open, 'result', 'has', 'have')} no value (${formatScore(figures)})`;
}

export function findGaps(facts: Facts): readonly Gap[] {
  return KINDS.flatMap(({ find, ...kind }) => find(facts).map((what) => ({ what, ...kind })));
}

/** What keeps a figure from such a place; empty if nothing does. */
export function whyMisleading({ missing }: Quotable, place: Place): readonly string[] {
  return missing
    .filter(({ misleads }) => misleads === 'result' || misleads === place)
    .map(({ what }) => what);
}

/**
 * The same to be published: of private records, a model that could be a text of one is not named. An
 * agent of code may return any text as its model.
 */
export function hideInventedModels(quoted: Quotable): Quotable {
  const { agent, all, isPrivate } = quoted;
  const isName = agent.models.every((model) => /^[\w./:@+~-]{1,100}$/.test(model));
  const isShared = agent.models.length === 1 && all.questions > 1;
  if (!isPrivate || (isName && (isShared || agent.asked !== null))) return quoted;
  const hidden = { ...quoted, agent: { ...agent, models: [] } };
  return { ...hidden, missing: findGaps(hidden) };
}
