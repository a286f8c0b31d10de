import type { AgentSpec } from '../agents/spec.ts';
import {
  findPartner,
  isPaired,
  type ProvidedBaseline,
  type VariantIdentity,
} from '../figures/compare-runs.ts';
import { hashAnswer } from '../figures/preference.ts';
import { type Judge, type Opinion, toCosts } from '../judge/judge.ts';
import { decidePair } from '../judge/preference.ts';
import { PAIR_PROMPT_HASH } from '../judge/prompt.ts';
import { PREFERENCE, type Preference } from '../judge/reply-form.ts';
import type { AgentPlan, SuiteManifest } from '../store/manifest.ts';
import { readRun } from '../store/run-reader.ts';
import { quoteMessages } from '../words/conversation.ts';
import type { PairVerdict, PairVerdicts, SampleResult } from '../words/row.ts';
import type { Json, Message, Sample } from '../words/sample.ts';
import { showPath, toText, toTextOrNull } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import { isOfVariant } from '../words/variant.ts';
import { findKnown } from './ask.ts';
import type { AgentLane } from './lanes.ts';
import { type Call, type Judged, NAME_ONE, Panel, toJudged } from './panel.ts';
import { type SuitePlan, type Trial, variantOf } from './plan.ts';
import { DEFAULT_PROMPT, fillPrompt, hashQuestion, shortHash } from './prompt.ts';
import type { AskingRun } from './provided-run.ts';

/** An answer that another one is judged with. */
type Rival = Pick<PairVerdicts, 'other' | 'other_hash'> & Readonly<{ text: string }>;

/** Answers by question and trial. */
type Ended = Map<string, readonly (Rival & { readonly lane: AgentLane })[]>;

/** What a suite with "prefer" has judged in pairs: whose answers, and by whom. */
export class Pairing {
  readonly #prefer: Judge;
  readonly #panel: Panel<Preference>;
  readonly #lanes: readonly AgentLane[];
  readonly #baseline: BaselineAnswers;
  /** The answers of this run so far. */
  readonly #ended: Ended = new Map();

  constructor(
    prefer: Judge,
    panel: Panel<Preference>,
    lanes: readonly AgentLane[],
    baseline: BaselineAnswers,
  ) {
    this.#prefer = prefer;
    this.#panel = panel;
    this.#lanes = lanes;
    this.#baseline = baseline;
  }

  /** For the manifest, before the first call. */
  async toPlan(trials: readonly Trial[]): Promise<SuiteManifest['prefer']> {
    const { length } = this.#lanes.flatMap((a) => this.#lanes.filter((b) => this.#arePaired(a, b)));
    // Each pair is found from both sides.
    const ofLanes = (trials.length / this.#lanes.length) * (length / 2);
    const ofBaseline = trials.filter((trial) => this.#baseline(trial) !== null).length;
    const known = await this.#countKnown(trials);
    return {
      judges: this.#panel.facts,
      criterion_hash: shortHash(this.#prefer.criterion),
      pairs: ofLanes + ofBaseline,
      ...(known === 0 ? {} : { known }),
    };
  }

  /** How many verdicts need no judge: on answers that are known, they are kept, or the answers are equal. */
  async #countKnown(trials: readonly Trial[]): Promise<number> {
    const ended: Ended = new Map();
    let known = 0;
    for (const trial of trials) {
      const { sample, lane, meta, key } = trial;
      const outcome = findKnown(lane, sample.id, meta.trial, key);
      if (outcome?.outcome !== 'answered') continue;
      const { output, messages } = outcome.answer;
      const text = toPairText(output, messages);
      if (text === null) continue;
      for (const rival of this.#meet(trial, { text, other_hash: '' }, ended))
        known += await this.#countKnownOf(sample, text, rival.text);
    }
    return known;
  }

  async #countKnownOf(sample: Sample, own: string, other: string): Promise<number> {
    if (own === other) return 2 * this.#panel.facts.length;
    const inputs = [this.#show(sample, [own, other]), this.#show(sample, [other, own])];
    const { judges = null } = this.#prefer;
    const counts = inputs.map((input) => this.#panel.countKnown(input, PREFERENCE, judges));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** Refuses a judge that cannot answer, where there are answers to pay for. */
  checkReady(plans: readonly AgentPlan[]): Promise<void> {
    return this.#panel.checkReady(plans);
  }

  /**
   * The row of an answer with what judges say of it beside the answers that came before, and that of the
   * baseline. It never rejects for what a judge does.
   */
  async judge(trial: Trial, row: SampleResult, call: Omit<Call, 'id'>): Promise<SampleResult> {
    const text = toPairText(row.output, call.messages);
    if (text === null) return row;
    const rivals = this.#meet(trial, { text, other_hash: hashAnswer(row) }, this.#ended);
    const all = await Promise.all(
      rivals.map((rival) => this.#judgePair(trial.sample, text, rival, call)),
    );
    const pairs = all.filter((each) => each !== null);
    return pairs.length === 0 ? row : { ...row, pairs };
  }

  #meet(trial: Trial, own: Omit<Rival, 'other'>, ended: Ended): readonly Rival[] {
    const { sample, lane, meta } = trial;
    const key = JSON.stringify([sample.id, meta.trial]);
    const before = ended.get(key) ?? [];
    ended.set(key, [...before, { lane, other: variantOf(lane), ...own }]);
    const ofBaseline = this.#baseline(trial);
    return [
      ...before.filter((each) => this.#arePaired(each.lane, lane)),
      ...(ofBaseline === null ? [] : [ofBaseline]),
    ];
  }

  #arePaired(a: AgentLane, b: AgentLane): boolean {
    return isPaired(this.#lanes.indexOf(a), this.#lanes.indexOf(b), this.#lanes.length);
  }

  /** Null if the run was interrupted meanwhile: then nothing is known of this pair. */
  async #judgePair(
    sample: Sample,
    own: string,
    { other, other_hash, text }: Rival,
    call: Omit<Call, 'id'>,
  ): Promise<PairVerdicts | null> {
    const inputs = [this.#show(sample, [own, text]), this.#show(sample, [text, own])] as const;
    const [{ criterion, reference }] = inputs;
    const asked_hashes = [inputs[0].asked, inputs[1].asked] as const;
    const shown = { prompt_hash: PAIR_PROMPT_HASH, criterion, reference, asked_hashes };
    const head = { other, other_hash, ...shown };
    if (own === text) {
      const nobody = { models: [], verdicts: [], reasons: [], cost_usd: 0 };
      return { ...head, outcome: 'tie', tie: 'equal', ...nobody };
    }
    const { judges = null } = this.#prefer;
    const ask = (input: Judged) =>
      this.#panel.ask(input, PREFERENCE, judges, { ...call, id: sample.id });
    const [inOrder, reversed] = await Promise.all([ask(inputs[0]), ask(inputs[1])]);
    const opinions = [...inOrder, ...reversed];
    if (opinions.some(({ stop }) => stop === 'interrupted')) return null;
    const both = inOrder.flatMap((one, index) => {
      const other = reversed[index];
      return other === undefined ? [] : [[one, other] as const];
    });
    const verdicts = both.map(([one, other]) => [toVerdict(one), toVerdict(other)] as const);
    return {
      ...head,
      ...decidePair(verdicts),
      models: inOrder.map(({ judge }) => judge),
      verdicts,
      reasons: both.map(([one, other]) => [one.reason, other.reason] as const),
      ...toCosts(opinions),
    };
  }

  #show(sample: Sample, outputs: readonly [first: string, second: string]): Judged {
    const { criterion, reference = toTextOrNull(sample.target, 2) || null } = this.#prefer;
    const question = fillPrompt(sample, DEFAULT_PROMPT);
    const input = { criterion, question, reference, outputs };
    return toJudged(input, hashQuestion(sample), sample.attachments);
  }
}

function toVerdict({ verdict, stop }: Opinion<Preference>): PairVerdict {
  return stop === null ? verdict : 'not_asked';
}

/** What judges read of an answer: not what the agent thought. Null if there is nothing. */
function toPairText(output: Json, messages?: readonly Message[]): string | null {
  if (output === null) return null;
  const said = messages === undefined ? toText(output, 2) : quoteMessages(messages);
  const text = withoutThoughts(said).trim();
  return text === '' ? null : text;
}

/** The answer of the baseline to a trial; null if it has none to the same question. */
type BaselineAnswers = (trial: Trial) => Rival | null;

/** The answers of the run of EVAL_BASELINE that are compared with those of this run. */
export function readBaselineAnswers(
  baseline: ProvidedBaseline | null,
  identities: readonly VariantIdentity[],
): BaselineAnswers {
  if (baseline === null) return () => null;
  // Whoever runs this has both runs. What of it may be shown is decided where it is shown.
  const { manifest, results } = readRun(baseline.folder, {});
  const rows = Map.groupBy(results, ({ suite, id, trial }) => JSON.stringify([suite, id, trial]));
  const partners = identities.map((own) => {
    return { own, partner: findPartner(own, baseline.variants, identities) };
  });
  return ({ lane, meta }) => {
    const { suite, id, trial, question_hash } = meta;
    const { partner } = partners.find(({ own }) => isOfVariant(variantOf(lane), own)) ?? {};
    if (partner === undefined || typeof partner === 'string') return null;
    const row = rows
      .get(JSON.stringify([suite, id, trial]))
      ?.find((each) => isOfVariant(each, partner) && each.question_hash === question_hash);
    // Rows have no conversations.
    if (row === undefined || row.conversation !== undefined) return null;
    const text = toPairText(row.output);
    const { agent, prompt } = row;
    const other = { agent, ...(prompt === undefined ? {} : { prompt }), run: manifest.run };
    return text === null ? null : { other, other_hash: hashAnswer(row), text };
  };
}

/**
 * What a suite with "prefer" has judged in pairs; null if there is nothing to compare. Rejects if no
 * judge is named, or one cannot be made.
 */
export async function openPairing(
  prefer: Judge,
  { suite, lanes }: Pick<SuitePlan, 'suite' | 'lanes'>,
  baseline: BaselineAnswers | null,
  agents: readonly AgentSpec[],
  run: AskingRun,
  options: Readonly<{ isHidden: boolean; isPrivate: boolean }>,
): Promise<Pairing | null> {
  if (lanes.length < 2 && baseline === null) return null;
  const { judges = null } = prefer;
  if (judges === null && run.config.judges === null)
    throw new Error(
      `${showPath(suite.file)}: its "prefer" asks a judge, but none is named. ${NAME_ONE}`,
    );
  const { isHidden, isPrivate } = options;
  const panel = new Panel<Preference>(suite.name, run, isHidden, PAIR_PROMPT_HASH, {
    agents,
    isPrivate,
  });
  await panel.open(judges, PREFERENCE);
  return new Pairing(prefer, panel, lanes, baseline ?? (() => null));
}
