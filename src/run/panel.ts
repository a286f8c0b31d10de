import { resolve } from 'node:path';
import { listJudgeForms, parseJudgeSpecs } from '../agents/kinds.ts';
import { suggestSpec } from '../agents/meant-spec.ts';
import type { AgentSpec } from '../agents/spec.ts';
import type { Opinion } from '../judge/judge.ts';
import { toJudge } from '../judge/judge-agent.ts';
import { type JudgeInput, toJudgePrompt } from '../judge/prompt.ts';
import type { ReplyForm } from '../judge/reply-form.ts';
import { parseVerdict } from '../judge/verdict.ts';
import { DOCS } from '../package.ts';
import { AnswerCache, type CacheKey } from '../store/cache.ts';
import type { AgentPlan, JudgeFacts } from '../store/manifest.ts';
import { RunWriter } from '../store/run-writer.ts';
import { readAttachment } from '../tools/read-attachment.ts';
import type { Agent, Outcome } from '../words/answer.ts';
import { withMessages } from '../words/conversation.ts';
import type { Attachment, Message } from '../words/sample.ts';
import { ScoreFault } from '../words/score-fault.ts';
import { showValue, toText } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { askWhenFree, type NotAsked } from './ask.ts';
import { findCached } from './cached-answer.ts';
import { type AgentLane, checkReady, openModel } from './lanes.ts';
import { shortHash } from './prompt.ts';
import type { AskingRun } from './provided-run.ts';
import { keyOfVerdict, readVerdicts } from './replayed-run.ts';
import { hashAttachment, Workdir } from './workdir.ts';

/** How one answer is judged. */
export type Call = Readonly<{
  id: string;
  deadlineMs: number;
  cancelled: AbortSignal;
  /** What was said, if it was a conversation. */
  messages?: readonly Message[];
}>;

/** `agents` are asked; `isLate`: whether a score may name judges when it runs. */
export type PanelOptions = Readonly<{
  agents?: readonly AgentSpec[];
  isLate?: boolean;
  /** Whether only the user may read the kept verdicts. */
  isPrivate?: boolean;
}>;

/** What judges are shown, and the attachments of the question. */
export type Judged = JudgeInput &
  Readonly<{
    files: readonly Attachment[];
    /** The hash of all that they are shown. */
    asked: string;
  }>;

/** Models that judge the answers of a suite. They are made when they are first needed. */
export class Panel<Word extends string | number> {
  readonly #suite: string;
  readonly #run: AskingRun;
  readonly #isHidden: boolean;
  readonly #promptHash: string;
  readonly #cache: AnswerCache;
  /** Those of the runs that this run replays. */
  readonly #recorded: ReadonlyMap<string, Outcome>;
  readonly #lanes = new Map<string, Promise<AgentLane>>();
  /** The verdicts that this run asks for: equal answers are judged once. */
  readonly #opinions = new Map<string, Promise<Opinion<Word>>>();
  readonly #facts: JudgeFacts[] = [];
  readonly #isLate: boolean;

  constructor(
    suite: string,
    run: AskingRun,
    isHidden: boolean,
    promptHash: string,
    { agents = [], isLate = false, isPrivate = false }: PanelOptions = {},
  ) {
    const { dir, cache } = run.config;
    this.#suite = suite;
    this.#run = run;
    this.#isHidden = isHidden;
    this.#promptHash = promptHash;
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
   * The judges of EVAL_JUDGE, or those that code names, who reply in that form. Rejects if one cannot
   * be made, or if there are none.
   */
  async open(
    names: readonly string[] | null,
    form: ReplyForm<Word>,
  ): Promise<readonly AgentLane[]> {
    const { blockedBecause, config } = this.#run;
    const specs = names === null ? (config.judges ?? []) : parseJudges(names);
    if (specs.length === 0)
      throw new Error(`Suite ${this.#suite} asks a judge, but none is named. ${NAME_ONE}`);
    if (blockedBecause !== null)
      throw new Error(`The judges of suite ${this.#suite} ${blockedBecause}`);
    const lanes = await Promise.all(
      specs.map((spec) => {
        const key = JSON.stringify([spec.text, form.allowed]);
        const lane = this.#lanes.get(key) ?? this.#make(spec, form);
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

  /**
   * The opinions of a panel. It never rejects for what a judge does: that is an opinion.
   */
  async ask(
    input: Judged,
    form: ReplyForm<Word>,
    names: readonly string[] | null,
    call: Call,
  ): Promise<readonly Opinion<Word>[]> {
    const lanes = await this.open(names, form).catch((error: unknown) => {
      throw new ScoreFault(messageOf(error), { cause: error });
    });
    return Promise.all(lanes.map((lane) => this.#askOnce(lane, input, form, call)));
  }

  /** How many of these judges have said it in an earlier run. */
  async countKnown(
    input: Judged,
    form: ReplyForm<Word>,
    names: readonly string[] | null,
  ): Promise<number> {
    const lanes = await this.open(names, form);
    return lanes.filter((lane) => this.#find(lane, input, form).earlier !== null).length;
  }

  async #make(spec: AgentSpec, form: ReplyForm<Word>): Promise<AgentLane> {
    const { config, folder } = this.#run;
    const lane = await openModel(spec, this.#suite, this.#run, {
      format: form.format,
      adapt: (agent) => ({ ...toJudge(agent, form), name: spec.text }),
    });
    const { name: judge, fingerprint = '', price } = lane.agent;
    const prompt = { text: '', hash: this.#promptHash, name: null };
    const fact = { judge, fingerprint: shortHash(JSON.stringify([fingerprint, config.cacheKey])) };
    const facts = { ...fact, prompt_hash: this.#promptHash, price };
    if (!this.#facts.some((known) => known.judge === judge)) {
      this.#facts.push(facts);
      // Those that are named before the run are part of its plan.
      if (this.#isLate) new RunWriter(folder).judge(this.#suite, facts);
    }
    return { ...lane, prompt, isHidden: this.#isHidden, cache: this.#cache };
  }

  /** The verdict of an earlier run, and what it is kept under. */
  #find(lane: AgentLane, { asked }: Judged, form: ReplyForm<Word>) {
    const { name } = lane.agent;
    const agent = this.#facts.find(({ judge }) => judge === name)?.fingerprint ?? '';
    // A deadline changes no verdict.
    const key = {
      agent,
      name: shortHash(name),
      prompt: this.#promptHash,
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
      earlier: found?.outcome === 'answered' ? toOpinion(name, found, form) : null,
    };
  }

  #askOnce(
    lane: AgentLane,
    input: Judged,
    form: ReplyForm<Word>,
    call: Call,
  ): Promise<Opinion<Word>> {
    const { key, verdict, earlier } = this.#find(lane, input, form);
    if (earlier !== null) return Promise.resolve({ ...earlier, isNew: false });
    const running = this.#opinions.get(verdict);
    if (running !== undefined) return running.then((opinion) => ({ ...opinion, isNew: false }));
    const asking = this.#ask(lane, { input, form, call }, key).then((opinion) => {
      // The next equal answer tries again.
      if (opinion.verdict === 'error') this.#opinions.delete(verdict);
      return opinion;
    });
    this.#opinions.set(verdict, asking);
    return asking;
  }

  async #ask(
    lane: AgentLane,
    { input, form, call }: Readonly<{ input: Judged; form: ReplyForm<Word>; call: Call }>,
    key: CacheKey,
  ): Promise<Opinion<Word>> {
    const { id, deadlineMs, cancelled } = call;
    const workdir = new Workdir(input.files);
    const limits = { trial: key.trial, deadlineMs, maxSteps: null, cancelled, workdir };
    try {
      const { texts, shown } = await readFiles(workdir.attachments, lane.agent, cancelled);
      const prompt = toJudgePrompt({ ...input, attachments: texts }, form);
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
        : toOpinion(lane.agent.name, outcome, form);
    } finally {
      await workdir.remove();
    }
  }
}

/** An input with its files, and its hash beside that of its question. */
export function toJudged(
  input: JudgeInput,
  questionHash: string,
  files: readonly Attachment[],
): Judged {
  const { criterion, reference, outputs } = input;
  const texts = [questionHash, criterion, reference, ...outputs, ...files.map(hashAttachment)];
  return { ...input, files, asked: shortHash(JSON.stringify(texts)) };
}

export const NAME_ONE =
  'Set EVAL_JUDGE, as in EVAL_JUDGE=openai:MODEL, to a model of another family than the agent, or name one in the eval file: ' +
  `judge('...', { judges: ['openai:MODEL'] }). See ${DOCS}/judging.md.`;

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

function toOpinion<Word extends string | number>(
  judge: string,
  outcome: Outcome,
  form: ReplyForm<Word>,
): Opinion<Word> {
  const end = { judge, isNew: true, stop: null };
  if (outcome.outcome === 'failed') {
    const { message, progress } = outcome.error;
    return { ...end, verdict: 'error', reason: message, cost: progress.costUsd ?? null };
  }
  const { output, costUsd: cost = null } = outcome.answer;
  const unread = { verdict: 'error', reason: 'Its kept verdict cannot be read.' } as const;
  return { ...end, ...(parseVerdict(toText(output ?? ''), form) ?? unread), cost };
}

function toRefusal({ queue, agent }: AgentLane, { reason }: NotAsked): Opinion<never> {
  const why =
    reason === 'not_cached'
      ? 'EVAL_CACHE=only, and this verdict is not cached.'
      : (queue.whyStopped(agent.name) ?? `It was not asked: ${reason}.`);
  const { name: judge } = agent;
  return { judge, verdict: 'error', reason: why, cost: 0, isNew: true, stop: reason };
}
