import { measureCommon, oneLine, shortId, words } from './format.js';

/**
 * @import { Answers, AnswerTexts, Head, PageAnswer, PageComparison, PageFigures, PageGroup, PageQuestion, PageVariant, QuestionTexts, Texts } from '../data.ts'
 */

/**
 * @typedef {PageVariant & { readonly place: number }} Variant
 * @typedef {PageAnswer & {
 *   readonly place: number,
 *   readonly question: Question,
 *   readonly variant: Variant,
 *   readonly counted: State,
 *   readonly isRight: boolean,
 *   readonly fails: boolean,
 *   readonly isError: boolean,
 *   texts?: AnswerTexts,
 * }} Answer
 * @typedef {'fixed' | 'broken' | 'improved' | 'worsened'} Change
 * @typedef {Readonly<{ change: Change, of: string, since: string, before: string | undefined }>} Changed
 */

/**
 * Signs of the states, so that no colour is needed to tell them apart.
 * @type {Readonly<Record<string, string>>}
 */
const SIGNS = {
  correct: '✓',
  incorrect: '✕',
  no_answer: '∅',
  timed_out: '◷',
  errored: '!',
  ungraded: '?',
  not_run: '–',
};

/** @param {string} state */
export function signOf(state) {
  return SIGNS[state] ?? '•';
}

/** @typedef {PageAnswer['state']} State */

/** A question with its answers; what is counted of them changes with a live run. */
export class Question {
  /** @type {QuestionTexts | undefined} */
  texts;
  /** @type {Answer[]} */
  answers = [];
  /** What became of it since another run, the worst first. @type {Changed[]} */
  changes = [];
  /** @type {string | null} */
  #searched = null;
  /** @type {ReturnType<typeof countAnswers> | null} */
  #counts = null;

  /**
   * @param {PageQuestion} facts
   * @param {number} place
   * @param {string} short its id where there is little room
   */
  constructor(facts, place, short) {
    this.facts = facts;
    this.place = place;
    this.short = short;
    this.key = `${facts.suite}/${facts.id}`;
  }

  get counts() {
    this.#counts ??= countAnswers(this.answers);
    return this.#counts;
  }

  /** What is known of it has changed. */
  renew() {
    this.#counts = null;
    this.#searched = null;
  }

  /** All its texts and those of its answers, in small letters. */
  get searched() {
    this.#searched ??= [this.facts.id, this.facts.group, ...listTexts(this)]
      .join('\n')
      .toLowerCase();
    return this.#searched;
  }

  /** Its beginning where it may be shown, else its id. */
  get title() {
    const { input = '' } = this.texts ?? {};
    return oneLine(input) || this.facts.id;
  }
}

/** @param {Question} question */
function listTexts({ texts, answers }) {
  const { input, target, choices = [], files = [] } = texts ?? {};
  const said = answers.flatMap(({ texts: own, reason }) => [
    reason,
    own?.answer,
    own?.output,
    own?.why,
    own?.error?.message,
  ]);
  const all = [input, target, ...choices.flat(), ...files.map(({ name }) => name), ...said];
  return all.filter((text) => text !== undefined);
}

/**
 * What rows say of some answers to one question.
 * @param {readonly Answer[]} answers
 */
export function countAnswers(answers) {
  const byVariant = [...Map.groupBy(answers, ({ v }) => v).values()];
  const shares = byVariant.map((own) => count(own, ({ isRight }) => isRight) / own.length);
  return {
    byVariant,
    right: count(answers, ({ isRight }) => isRight),
    failed: count(answers, ({ fails }) => fails),
    isUnstable: shares.some((share) => share > 0 && share < 1),
    isDisputed: new Set(shares).size > 1,
    slowest: Math.max(0, ...answers.map(({ latency = 0 }) => latency)),
  };
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(item: T) => boolean} holds
 */
function count(list, holds) {
  return list.reduce((sum, item) => sum + (holds(item) ? 1 : 0), 0);
}

/** The state that tables count an answer in. @param {State} state @param {PageQuestion} question @returns {State} */
function countAs(state, { is_ungraded }) {
  return is_ungraded && state !== 'not_run' ? 'ungraded' : state;
}

/** The cases of a run. */
export class Cases {
  /** @type {readonly Question[]} */
  questions;
  /** @type {Answer[]} */
  answers = [];
  /** Counts what has changed, so that views are drawn again. */
  version = 0;

  /**
   * @param {Head} head
   * @param {Answers} data
   */
  constructor(head, { questions, answers }) {
    this.head = head;
    this.variants = listVariants(head);
    const common = new Map(
      [...Map.groupBy(questions, ({ suite }) => suite)].map(([suite, own]) => [
        suite,
        measureCommon(own.map(({ id }) => id)),
      ]),
    );
    this.questions = questions.map(
      (facts, place) => new Question(facts, place, shortId(facts.id, common.get(facts.suite))),
    );
    this.add(answers);
    this.#mark(head.flips, 'the watch run before');
    this.#mark(head.baseline?.suites ?? [], 'the baseline');
  }

  /**
   * Adds answers of a live run. A later answer to the same trial replaces the one before.
   * @param {readonly PageAnswer[]} answers
   */
  add(answers) {
    for (const facts of answers) {
      const question = this.questions[facts.q];
      const variant = this.variants[facts.v];
      if (question === undefined || variant === undefined) continue;
      const counted = countAs(facts.state, question.facts);
      const { is_right: isRight, fails } = this.head.states[counted];
      const { is_error: isError } = this.head.states[facts.state];
      const place = this.answers.length;
      const answer = { ...facts, place, question, variant, counted, isRight, fails, isError };
      this.answers.push(answer);
      question.answers.push(answer);
      question.renew();
    }
    this.version += 1;
  }

  /** @param {readonly Texts[]} blocks */
  addTexts(blocks) {
    for (const { questions, answers } of blocks) {
      for (const [place, texts] of questions) {
        const question = this.questions[place];
        if (question !== undefined) question.texts = texts;
        question?.renew();
      }
      for (const [place, texts] of answers) {
        const answer = this.answers[place];
        if (answer !== undefined) answer.texts = texts;
        answer?.question.renew();
      }
    }
    this.version += 1;
  }

  /** Makes what a search reads while nobody waits for anything else. */
  prepareSearch(from = 0) {
    requestIdleCallback((idle) => {
      let place = from;
      while (place < this.questions.length && idle.timeRemaining() > 1) {
        void this.questions[place]?.searched;
        place += 1;
      }
      if (place < this.questions.length) this.prepareSearch(place);
    });
  }

  /** @param {readonly PageComparison[]} comparisons @param {string} since */
  #mark(comparisons, since) {
    const questions = new Map(this.questions.map((question) => [question.key, question]));
    for (const pair of comparisons) {
      const of = nameSide(this.head, pair.b, pair.suite);
      for (const [id, change] of listChanges(pair))
        questions
          .get(`${pair.suite}/${id}`)
          ?.changes.push({ change, of, since, before: pair.before?.[id] });
    }
    for (const { changes } of this.questions)
      if (changes.length > 1) changes.sort((a, b) => rankChange(a.change) - rankChange(b.change));
  }
}

/** @type {readonly (Change | undefined)[]} */
const RANKS = ['broken', 'worsened', 'fixed', 'improved'];

/** The worst first; a question without a change last. @param {Change | undefined} change */
export function rankChange(change) {
  return change === undefined ? RANKS.length : RANKS.indexOf(change);
}

/**
 * @param {Head} head
 * @returns {readonly Variant[]}
 */
export function listVariants({ variants }) {
  return variants.map((variant, place) => ({ ...variant, place }));
}

/**
 * What viva says of each question whose verdicts differ.
 * @param {PageComparison} comparison
 * @returns {ReadonlyMap<string, Change>}
 */
export function listChanges({ figures: { flips, shifts } }) {
  return new Map([
    ...shifts.improved.map((id) => /** @type {const} */ ([id, 'improved'])),
    ...shifts.worsened.map((id) => /** @type {const} */ ([id, 'worsened'])),
    ...flips.fixed.map((id) => /** @type {const} */ ([id, 'fixed'])),
    ...flips.broken.map((id) => /** @type {const} */ ([id, 'broken'])),
  ]);
}

/**
 * What an answer says where one line must do: the answer, or what came instead.
 * @param {Answer} answer
 * @param {Head['states']} states
 */
export function tellReceived({ state, reason, texts }, states) {
  if (texts?.answer !== undefined) return texts.answer;
  return `${states[state].label}${reason === undefined ? '' : ` (${words(reason)})`}`;
}

/**
 * The same where the expected answer stands beside it: what failed an answer that equals it.
 * @param {Answer} answer
 * @param {Head} head
 */
export function tellResult(answer, { states, scores: names }) {
  const { question, texts, fails, scores = [] } = answer;
  const told = tellReceived(answer, states);
  const isOther = !fails || texts?.answer !== question.texts?.target;
  const missed = isOther ? [] : names.filter((_, at) => scores[at] === false);
  return missed.length === 0 ? told : `${missed.join(', ')} false: ${told}`;
}

/**
 * An answer in an address: its variant and trial.
 * @param {PageAnswer} answer
 */
export function nameAnswer({ v, trial }) {
  return `${v}.${trial}`;
}

/** The names of suites, each once. @param {Head} head */
export function listSuites({ variants }) {
  return [...new Set(variants.map(({ suite }) => suite))];
}

/**
 * How many answers count in each state.
 * @param {readonly { counted: State }[]} answers
 * @param {Head['states']} states
 */
export function countStates(answers, states) {
  const counts = /** @type {Record<State, number>} */ (
    Object.fromEntries(Object.keys(states).map((state) => [state, 0]))
  );
  for (const { counted } of answers) counts[counted] += 1;
  return counts;
}

/** All states in their order. @param {Head['states']} states */
export function listStates(states) {
  return /** @type {readonly State[]} */ (Object.keys(states));
}

/** The variant that a side of a comparison names. @param {Head} head @param {PageComparison['a']} side @param {string} suite */
export function findVariant({ variants }, { agent, prompt_hash }, suite) {
  const ofAgent = variants.flatMap((variant, place) =>
    variant.suite === suite && variant.agent === agent ? [{ ...variant, place }] : [],
  );
  return ofAgent.find((variant) => variant.prompt_hash === prompt_hash) ?? ofAgent[0];
}

/** How the page calls a side of a comparison. @param {Head} head @param {PageComparison['a']} side @param {string} suite */
export function nameSide(head, side, suite) {
  return findVariant(head, side, suite)?.name ?? side.prompt ?? side.agent;
}

/** The figures of all questions. @param {PageFigures} figures @returns {PageGroup | undefined} */
export function whole({ groups }) {
  return groups.at(-1);
}
