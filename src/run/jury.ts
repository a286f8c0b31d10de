import { resolve } from 'node:path';
import { listJudgeForms, parseJudgeSpecs } from '../agents/kinds.ts';
import { suggestSpec } from '../agents/meant-spec.ts';
import type { AgentSpec } from '../agents/spec.ts';
import {
  type AnyJudge,
  type AskedOptions,
  describeRuling,
  isJudge,
  type JudgeContext,
  type Opinion,
  type Ruling,
  toJudgeVerdicts,
  withJudges,
} from '../judge/judge.ts';
import { toJudge } from '../judge/judge-agent.ts';
import { JUDGE_PROMPT_HASH, type JudgeInput, toJudgePrompt } from '../judge/prompt.ts';
import { type ReplyForm, toReplyForm } from '../judge/reply-form.ts';
import { parseVerdict } from '../judge/verdict.ts';
import { DOCS } from '../package.ts';
import { AnswerCache, type CacheKey } from '../store/cache.ts';
import type { AgentPlan, JudgeFacts } from '../store/manifest.ts';
import { RunWriter } from '../store/run-writer.ts';
import { readAttachment } from '../tools/read-attachment.ts';
import type { Agent, Outcome } from '../words/answer.ts';
import { quoteDialogue, withMessages } from '../words/conversation.ts';
import { joinVerdicts } from '../words/panel.ts';
import type { Attachment, Message, Sample } from '../words/sample.ts';
import { ScoreFault } from '../words/score-fault.ts';
import { showPath, showValue, toText, toTextOrNull } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import { messageOf } from '../words/thrown.ts';
import { askWhenFree, type NotAsked } from './ask.ts';
import { findCached } from './cached-answer.ts';
import type { EvalDefinition } from './definition.ts';
import { type AgentLane, checkReady, openModel } from './lanes.ts';
import type { Graded } from './named-scores.ts';
import { DEFAULT_PROMPT, fillPrompt, hashQuestion, shortHash } from './prompt.ts';
import type { AskingRun } from './provided-run.ts';
import { keyOfVerdict, readVerdicts } from './replayed-run.ts';
import type { Suite } from './suite.ts';
import { hashAttachment, Workdir } from './workdir.ts';

/** How one answer is judged. */
export type Call = Readonly<{
  id: string;
  deadlineMs: number;
  cancelled: AbortSignal;
  /** What was said, if it was a conversation. */
  messages?: readonly Message[];
}>;

type JuryOptions = Readonly<{
  agents?: readonly AgentSpec[];
  isLate?: boolean;
  /** Whether only the user may read the kept verdicts. */
  isPrivate?: boolean;
}>;

/** The judges of a suite. They are made when they are first needed. */
export class Jury {
  readonly #suite: string;
  readonly #run: AskingRun;
  readonly #isHidden: boolean;
  readonly #cache: AnswerCache;
  /** Those of the runs that this run replays. */
  readonly #recorded: ReadonlyMap<string, Outcome>;
  readonly #lanes = new Map<string, Promise<AgentLane>>();
  /** The verdicts that this run asks for: equal answers are judged once. */
  readonly #opinions = new Map<string, Promise<Opinion>>();
  readonly #facts: JudgeFacts[] = [];
  readonly #isLate: boolean;

  /** `agents` are asked; `isLate`: whether a score may name judges when it runs. */
  constructor(
    suite: string,
    run: AskingRun,
    isHidden: boolean,
    { agents = [], isLate = false, isPrivate = false }: JuryOptions = {},
  ) {
    const { dir, cache } = run.config;
    this.#suite = suite;
    this.#run = run;
    this.#isHidden = isHidden;
    this.#isLate = isLate;
    // No suite has this name.
    this.#cache = new AnswerCache(resolve(dir, 'cache', `${suite},judges`), cache, true, isPrivate);
    this.#recorded = cache === 'refresh' ? new Map() : readVerdicts(agents, suite);
  }

  /** The judges that were made so far, for the manifest. */
  get facts(): readonly JudgeFacts[] {
    return this.#facts;
  }

  /**
   * The judges that are named before the run; absent where the score names them: its runs are
   * compared by their rows.
   */
  get namedBefore(): { readonly judges?: readonly JudgeFacts[] } {
    return this.#isLate ? {} : { judges: this.#facts };
  }

  /**
   * Refuses a judge that cannot answer, such as one without its key, where there are answers to pay
   * for.
   */
  async checkReady(plans: readonly AgentPlan[]): Promise<void> {
    const lanes = await Promise.all(this.#lanes.values());
    if (plans.some(({ to_ask }) => to_ask > 0)) checkReady(lanes, [], this.#run.config);
  }

  /**
   * The judges of EVAL_JUDGE, or those that code names, with the highest grade that they may give.
   * Rejects if one cannot be made, or if there are none.
   */
  async open(names: readonly string[] | null, scale?: number): Promise<readonly AgentLane[]> {
    const { blockedBecause, config } = this.#run;
    const specs = names === null ? (config.judges ?? []) : parseJudges(names);
    if (specs.length === 0)
      throw new Error(`Suite ${this.#suite} asks a judge, but none is named. ${NAME_ONE}`);
    if (blockedBecause !== null)
      throw new Error(`The judges of suite ${this.#suite} ${blockedBecause}`);
    const lanes = await Promise.all(
      specs.map((spec) => {
        const key = JSON.stringify([spec.text, scale]);
        const lane = this.#lanes.get(key) ?? this.#make(spec, toReplyForm(scale));
        this.#lanes.set(key, lane);
        return lane;
      }),
    );
    if (new Set(lanes).size < lanes.length) {
      throw new Error(
        `The judges of suite ${this.#suite} name one twice: ${specs.map(({ text }) => text).join(', ')}.`,
      );
    }
    return lanes;
  }

  /** Asks a panel. It never rejects for what a judge does: that is an opinion. */
  async ask(input: Judged, names: readonly string[] | null, call: Call) {
    const { criterion, reference, scale } = input;
    const lanes = await this.open(names, scale).catch((error: unknown) => {
      throw new ScoreFault(messageOf(error), { cause: error });
    });
    const asked = hashJudged(input);
    const opinions = await Promise.all(
      lanes.map((lane) => this.#askOnce(lane, input, asked, call)),
    );
    return {
      verdict: joinVerdicts(opinions.map(({ verdict }) => verdict)),
      opinions,
      criterion,
      scale,
      reference,
      asked,
    } satisfies Ruling;
  }

  async #make(spec: AgentSpec, form: ReplyForm): Promise<AgentLane> {
    const { config, folder } = this.#run;
    const lane = await openModel(spec, this.#suite, this.#run, {
      format: form.format,
      adapt: (agent) => ({ ...toJudge(agent, form), name: spec.text }),
    });
    const { name: judge, fingerprint = '', price } = lane.agent;
    const prompt = { text: '', hash: JUDGE_PROMPT_HASH, name: null };
    const fact = { judge, fingerprint: shortHash(JSON.stringify([fingerprint, config.cacheKey])) };
    const facts = { ...fact, prompt_hash: JUDGE_PROMPT_HASH, price };
    if (!this.#facts.some((known) => known.judge === judge)) {
      this.#facts.push(facts);
      new RunWriter(folder).judge(this.#suite, facts);
    }
    return { ...lane, prompt, isHidden: this.#isHidden, cache: this.#cache };
  }

  /** The verdict of an earlier run, and what it is kept under. */
  #find(lane: AgentLane, asked: string, scale: number | undefined) {
    const { name } = lane.agent;
    const agent = this.#facts.find(({ judge }) => judge === name)?.fingerprint ?? '';
    // A deadline changes no verdict.
    const key = {
      agent,
      name: shortHash(name),
      prompt: JUDGE_PROMPT_HASH,
      question: asked,
      steps: null,
      deadline: 0,
      trial: 1,
    };
    const verdict = keyOfVerdict(key);
    const found = this.#recorded.get(verdict) ?? findCached(lane, key);
    return {
      key,
      verdict,
      earlier: found?.outcome === 'answered' ? toOpinion(name, found, scale) : null,
    };
  }

  #askOnce(lane: AgentLane, input: Judged, asked: string, call: Call): Promise<Opinion> {
    const { key, verdict, earlier } = this.#find(lane, asked, input.scale);
    if (earlier !== null) return Promise.resolve({ ...earlier, isNew: false });
    const running = this.#opinions.get(verdict);
    if (running !== undefined) return running.then((opinion) => ({ ...opinion, isNew: false }));
    const asking = this.#ask(lane, input, key, call).then((opinion) => {
      // The next equal answer tries again.
      if (opinion.verdict === 'error') this.#opinions.delete(verdict);
      return opinion;
    });
    this.#opinions.set(verdict, asking);
    return asking;
  }

  async #ask(lane: AgentLane, input: Judged, key: CacheKey, call: Call): Promise<Opinion> {
    const { id, deadlineMs, cancelled } = call;
    const workdir = new Workdir(input.files);
    const limits = { trial: key.trial, deadlineMs, maxSteps: null, cancelled, workdir };
    try {
      const { texts, shown } = await readFiles(workdir.attachments, lane.agent, cancelled);
      const prompt = toJudgePrompt({ ...input, attachments: texts });
      const question = {
        id,
        suite: this.#suite,
        input: prompt,
        ...withMessages(prompt),
        group: 'all',
        attachments: shown,
      };
      const outcome = await askWhenFree(lane, question, key, limits);
      return outcome.outcome === 'not_asked'
        ? toRefusal(lane, outcome)
        : toOpinion(lane.agent.name, outcome, input.scale);
    } finally {
      await workdir.remove();
    }
  }
}

const NAME_ONE =
  'Set EVAL_JUDGE, as in EVAL_JUDGE=openai:MODEL, to a model of another family than the agent, or name one in the eval file: ' +
  `judge('...', { judges: ['openai:MODEL'] }). See ${DOCS}/judging.md.`;

/**
 * What judges are shown of an answer, which is not what the agent thought, and the hash of its
 * question.
 */
export function toJudgeInput(
  sample: Sample,
  whole: string,
  criterion: string,
  { reference = toTextOrNull(sample.target, 2) || null, scale }: AskedOptions,
  messages?: readonly Message[],
): Judged {
  const sampleHash = hashQuestion(sample);
  const question =
    messages === undefined ? fillPrompt(sample, DEFAULT_PROMPT) : quoteDialogue(messages);
  const questionHash =
    messages === undefined ? sampleHash : shortHash(JSON.stringify([sampleHash, question]));
  const output = withoutThoughts(whole);
  const files = sample.attachments;
  return { criterion, scale, question, reference, output, files, questionHash };
}

type Judged = JudgeInput &
  Readonly<{
    questionHash: string;
    /** The attachments of the question. */
    files: readonly Attachment[];
  }>;

function hashJudged({ questionHash, criterion, reference, output, files }: Judged): string {
  const hashes = files.map(hashAttachment);
  return shortHash(JSON.stringify([questionHash, criterion, reference, output, ...hashes]));
}

/** The most characters of all attachments of a question that a judge reads. */
const MAX_CHARACTERS = 100_000;

/**
 * What a judge reads of the attachments, and the files that it gets itself: what its model can see,
 * or all where it is not a model.
 */
async function readFiles(
  attachments: readonly Attachment[],
  { media }: Pick<Agent, 'media'>,
  signal: AbortSignal,
) {
  const context = { signal, attachments, media };
  const texts: string[] = [];
  const shown: Attachment[] = [];
  let left = MAX_CHARACTERS;
  for (const attachment of attachments) {
    const { name } = attachment;
    const read = await readAttachment.run(new Map([['name', name]]), context).catch(messageOf);
    const isShown = typeof read !== 'string';
    if (isShown || media === undefined) shown.push(attachment);
    const text = isShown ? `${name} comes with this message.` : read;
    texts.push(left < text.length ? `${name} is too long to be shown here.` : text);
    left -= text.length;
  }
  return { texts, shown };
}

function parseJudges(names: readonly string[]): readonly AgentSpec[] {
  return [names].flat().flatMap((name) => {
    const specs = typeof name === 'string' ? parseJudgeSpecs(name, '"judges"') : [];
    if (specs?.length === 1) return specs;
    const meant = typeof name === 'string' ? suggestSpec(name) : '';
    const forms = `a list of ${listJudgeForms()}`;
    throw new Error(`"judges" must be ${forms}, got ${showValue(name)}.${meant}`);
  });
}

function toOpinion(judge: string, outcome: Outcome, scale: number | undefined): Opinion {
  const end = { judge, isNew: true, stop: null };
  if (outcome.outcome === 'failed') {
    const { message, progress } = outcome.error;
    return { ...end, verdict: 'error', reason: message, cost: progress.costUsd ?? null };
  }
  const { output, costUsd: cost = null } = outcome.answer;
  const unread = { verdict: 'error', reason: 'Its cached verdict cannot be read.' } as const;
  return {
    ...end,
    ...(parseVerdict(toText(output ?? ''), '', toReplyForm(scale)) ?? unread),
    cost,
  };
}

function toRefusal({ queue, agent }: AgentLane, { reason }: NotAsked): Opinion {
  const why =
    reason === 'not_cached'
      ? 'EVAL_CACHE=only, and this verdict is not cached.'
      : (queue.whyStopped(agent.name) ?? `It was not asked: ${reason}.`);
  const { name: judge } = agent;
  return { judge, verdict: 'error', reason: why, cost: 0, isNew: true, stop: reason };
}

/** The judges among the scores of a suite. Its functions may ask others when they run. */
export function findJudges({ score, scores }: EvalDefinition): readonly AnyJudge[] {
  return Object.values({ ...scores, score }).filter((each) => isJudge(each));
}

/**
 * The jury of a suite with a score of its own. Rejects if a judge among its scores has no model, or
 * one cannot be made.
 */
export async function openJury(
  { name, file, definition }: Pick<Suite, 'name' | 'file' | 'definition'>,
  agents: readonly AgentSpec[],
  run: AskingRun,
  isHidden: boolean,
  isPrivate = false,
): Promise<Jury> {
  const { score, scores = { score } } = definition;
  const isLate = Object.values(scores).some((each) => !isJudge(each));
  const jury = new Jury(name, run, isHidden, { agents, isLate, isPrivate });
  for (const { judges = null, scale } of findJudges(definition)) {
    if (judges === null && run.config.judges === null)
      throw new Error(`${showPath(file)}: its score asks a judge, but none is named. ${NAME_ONE}`);
    await jury.open(judges, scale);
  }
  return jury;
}

/** Has an answer graded by a score that may ask judges, and adds what they said. */
export type GradeWithJudges = (
  sample: Sample,
  call: Omit<Call, 'id'>,
  score: () => Promise<Graded>,
) => Promise<Graded>;

/** Grades answers before these judges. */
export function gradeWithJudges(jury: Jury): GradeWithJudges {
  return async (sample, call, score) => {
    const rulings: Ruling[] = [];
    const pending = new Set<Promise<unknown>>();
    // What no score may swallow: it would decide without its judges.
    const refused: unknown[] = [];
    const context: JudgeContext = {
      get waiting() {
        return pending.size;
      },
      ask: (output, criterion, options, score) => {
        const input = toJudgeInput(sample, output, criterion, options, call.messages);
        const ruled = jury.ask(input, options.judges ?? null, { ...call, id: sample.id });
        const settled = ruled
          .then((ruling) => void rulings.push({ ...ruling, score }))
          .catch((error: unknown) => void refused.push(error));
        pending.add(settled);
        void settled.then(() => pending.delete(settled));
        return settled.then(() => ruled);
      },
    };
    const graded = await withJudges(context, score).catch((error: unknown) => {
      refused.push(error);
      return null;
    });
    const isEarly = pending.size > 0 && graded?.failed === undefined;
    await Promise.all(pending);
    const [first] = refused;
    if (graded === null || first !== undefined) throw first;
    if (isEarly) {
      throw new ScoreFault('"score" ended before its judges answered. Await toPassJudge.');
    }
    return withRulings(graded, rulings);
  };
}

/**
 * Among several rulings the one without a verdict decides, else the last: a score ends at the first
 * that fails.
 */
function withRulings(graded: Graded, rulings: readonly Ruling[]): Graded {
  const open = rulings.find(({ verdict }) => verdict === null);
  const ruling = open ?? rulings.at(-1);
  if (ruling === undefined) return graded;
  const judge = toJudgeVerdicts(ruling, rulings);
  // Among several scores a false one decides, even if another has no verdict.
  const isKnown = open?.score !== undefined && graded.scores?.[open.score] === null;
  if (open === undefined || (isKnown && graded.undecided === undefined)) {
    const isOnly = graded.failed !== undefined && graded.scores === undefined;
    const isMatcher = isOnly && graded.explanation.includes('toPassJudge');
    return {
      ...graded,
      judge,
      explanation: isMatcher ? describeRuling(ruling) : graded.explanation,
    };
  }
  const stopped = open.opinions.find(({ stop }) => stop !== null);
  const explanation = stopped?.reason ?? describeRuling(open);
  return { ...graded, correct: false, judge, explanation, undecided: stopped?.stop ?? 'judge' };
}
