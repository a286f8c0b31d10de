import { toSuiteKey } from '../metrics/groups.ts';
import type { GaiaRule } from '../scoring/gaia/official.ts';
import { gaiaRules, OPT_IN_FORM, type OptInRule, parseOptIn } from '../scoring/gaia/rules.ts';
import { isCorrect, isGraded } from '../states.ts';
import { type LoggedQuestion, readQuestions } from '../store/question-log.ts';
import { resultKey } from '../store/sample-log.ts';
import { redactMessage } from '../text/secrets.ts';
import type { SampleResult } from '../types.ts';

/** How one rule would have judged the results of a suite and agent, beside the verdicts that count. */
export type RuleFigures = {
  readonly rule: string;
  /** Applied to the extracted answer, or to the whole output. */
  readonly on: 'answer' | 'output';
  readonly correct: number;
  /** Right by this rule, wrong by the verdict that counts. */
  readonly false_positives: number;
  /** Wrong by this rule, right by the verdict that counts. */
  readonly false_negatives: number;
};

export type SuiteAudit = Pick<SampleResult, 'suite' | 'dataset' | 'agent'> & {
  /** Results with an output and a known truth. */
  readonly n: number;
  readonly correct: number;
  readonly rules: readonly RuleFigures[];
};

export type Audit = {
  /** The names of the rules, in the order of the bits of each case. */
  readonly rules: readonly string[];
  readonly suites: readonly SuiteAudit[];
  readonly cases: ReadonlyMap<SampleResult, CaseAudit>;
  /** Why a rule that was asked for could not be applied. */
  readonly problems: readonly string[];
};

/**
 * Applies every rule to the extracted answer and to the whole output of each result that was scored by GAIA's rules.
 * The verdict of the row is the measure: a rule that differs from it accepts or rejects wrongly. Changes no figure.
 */
export function auditRules(results: readonly SampleResult[], options: AuditOptions): Audit {
  const suites = [...Map.groupBy(results, toSuiteKey).values()].filter((rows) =>
    rows.some(({ rules }) => rules !== null),
  );
  const audited = suites.map((rows) => rows.flatMap((row) => judgeRow(row, options)));
  const rules = listRules(options);
  const counted = audited
    .map((judged) => countSuite(judged, rules, options.known.size))
    .filter((suite) => suite !== null);
  return {
    rules: counted.length === 0 ? [] : rules,
    suites: counted,
    problems: options.problems ?? [],
    cases: new Map(audited.flat().map(({ row, audit }) => [row, audit])),
  };
}

type Judged = { readonly row: SampleResult; readonly audit: CaseAudit };

function judgeRow(row: SampleResult, options: AuditOptions): readonly Judged[] {
  if (row.output === null || row.target === null || !isGraded(row)) return [];
  const { output, target } = row;
  return [{ row, audit: judgeCase({ row, output, target }, options) }];
}

/** The last `asked` rules know answers alone: their server was not asked about whole outputs. */
function countSuite(judged: readonly Judged[], rules: readonly string[], asked: number): SuiteAudit | null {
  const [first] = judged;
  if (first === undefined) return null;
  const { suite, dataset, agent } = first.row;
  const correct = judged.filter(({ row }) => isCorrect(row)).length;
  const figures = (on: RuleFigures['on'], names: readonly string[]) =>
    names.map((rule) => countRule(judged, { rule, on, place: rules.indexOf(rule) }));
  // The official rule on the extracted answer is the measure itself.
  const onAnswer = figures(
    'answer',
    rules.filter((rule) => rule !== 'official'),
  );
  const onOutput = figures('output', rules.slice(0, rules.length - asked));
  return { suite, dataset, agent, n: judged.length, correct, rules: [...onAnswer, ...onOutput] };
}

type Applied = Pick<RuleFigures, 'rule' | 'on'> & { readonly place: number };

function countRule(judged: readonly Judged[], { rule, on, place }: Applied): RuleFigures {
  const counts = { correct: 0, false_positives: 0, false_negatives: 0 };
  for (const { row, audit } of judged) {
    const accepts = hasBit(audit[on], place);
    const counted = isCorrect(row);
    if (accepts) counts.correct += 1;
    if (accepts && !counted) counts.false_positives += 1;
    if (!accepts && counted) counts.false_negatives += 1;
  }
  return { rule, on, ...counts };
}

/** A rule that asks a server how near two texts are: the model of its embeddings and the least similarity (-1 to 1). */
export type SemanticRule = { readonly name: string; readonly model: string; readonly least: number };

/** What EVAL_AUDIT may name. */
export const AUDIT_FORM = `${OPT_IN_FORM}, semantic:MODEL or semantic:MODEL@SIMILARITY`;

const LEAST_NEAR = 0.8;

/** Whether a name is a rule for the audit. */
export function isAuditRule(name: string): boolean {
  return parseOptIn(name) !== null || parseSemantic(name) !== null;
}

/** What is wrong with the rules that a project commits, one sentence each. */
export function findAuditProblems(names: readonly string[]): readonly string[] {
  const wrong = names.filter((name) => !isAuditRule(name));
  return wrong.map((name) => `"audit" in vitest.config.ts must be ${AUDIT_FORM}, got ${JSON.stringify(name)}.`);
}

/** Reads "semantic:MODEL" or "semantic:MODEL@0.8"; null when it is neither. */
export function parseSemantic(name: string): SemanticRule | null {
  const [, model, least] = /^semantic:([^@\s]{1,200})(?:@(\d(?:\.\d{1,9})?))?$/.exec(name) ?? [];
  if (model === undefined || Number(least ?? 0) > 1) return null;
  return { name, model, least: least === undefined ? LEAST_NEAR : Number(least) };
}

/** What the audit of a run applies beside the usual rules: what EVAL_AUDIT names, and what was asked of a server. */
export function toAuditOptions(
  names: readonly string[],
  folder: string,
  { known, problems }: AskedVerdicts,
): AuditOptions {
  const logs = new Map<string, ReadonlyMap<string, LoggedQuestion>>();
  const optIns = names.map(parseOptIn).filter((rule) => rule !== null);
  return {
    optIns,
    accepted({ suite, id }) {
      const log = logs.get(suite) ?? readQuestions(folder, suite);
      logs.set(suite, log);
      return log.get(id)?.accepted ?? [];
    },
    known,
    problems,
  };
}

/** What the rules say of one result: a bit for each rule that accepts, in the order of `listRules`. */
type CaseAudit = { readonly answer: number; readonly output: number };

/** Verdicts on extracted answers that a rule gave elsewhere, such as one that has to ask a server. */
type KnownVerdicts = ReadonlyMap<string, (row: SampleResult) => boolean>;

/** What is applied beside the rules that every row has verdicts of. */
export type AuditOptions = {
  readonly optIns: readonly OptInRule[];
  /** What a result's record accepts beside its truth. */
  accepted(result: SampleResult): readonly string[];
  readonly known: KnownVerdicts;
  /** Why verdicts of some rule are not among the known ones. */
  readonly problems?: readonly string[];
};

/** The names of all rules that an audit applies. */
function listRules({ optIns, known }: AuditOptions): readonly string[] {
  return [...gaiaRules, ...optIns].map(({ name }) => name).concat([...known.keys()]);
}

/** Whether the rule at a place accepts, by the bits of a `CaseAudit`. */
function hasBit(bits: number, place: number): boolean {
  return Math.floor(bits / 2 ** place) % 2 === 1;
}

type Case = { readonly row: SampleResult; readonly output: string; readonly target: string };

/** Applies every rule to the extracted answer and to the whole output of a result. No rule accepts a missing answer. */
function judgeCase({ row, output, target }: Case, { optIns, accepted, known }: AuditOptions): CaseAudit {
  let [answer, whole, bit] = [0, 0, 1];
  for (const rule of gaiaRules) {
    if (judgeAnswer(rule, row, target)) answer += bit;
    if (rule.judge(output, target).correct) whole += bit;
    bit *= 2;
  }
  for (const optIn of optIns) {
    const rule = optIn.create(accepted(row));
    if (row.answer !== null && rule.judge(row.answer, target).correct) answer += bit;
    if (rule.judge(output, target).correct) whole += bit;
    bit *= 2;
  }
  for (const accepts of known.values()) {
    if (accepts(row)) answer += bit;
    bit *= 2;
  }
  return { answer, output: whole };
}

/** The row has the verdicts of all rules that there were when it was written. */
function judgeAnswer({ name, judge }: GaiaRule, row: SampleResult, target: string): boolean {
  const { answer, rules } = row;
  if (answer === null) return false;
  if (name === 'official') return rules?.[name] ?? isCorrect(row);
  return rules?.[name] ?? judge(answer, target).correct;
}

/** What rules said that have to ask a server, and why some could say nothing. */
export type AskedVerdicts = { readonly known: KnownVerdicts; readonly problems: readonly string[] };

export const NOTHING_ASKED: AskedVerdicts = { known: new Map(), problems: [] };

/**
 * Applies the rules among `names` that ask a server to the rows that have an answer and a truth. A server that fails
 * leaves its rule out: an audit changes no figure, so it must not fail a run.
 */
export async function askServers(
  names: readonly string[],
  secrets: readonly string[],
  read: () => readonly SampleResult[],
): Promise<AskedVerdicts> {
  const rules = names.map(parseSemantic).filter((rule) => rule !== null);
  if (rules.length === 0) return NOTHING_ASKED;
  const rows = read();
  const known = new Map<string, (row: SampleResult) => boolean>();
  const problems: string[] = [];
  for (const rule of rules) {
    try {
      known.set(rule.name, await judge(rule, rows));
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      problems.push(`${rule.name} was not applied: ${redactMessage(said, secrets)}`);
    }
  }
  return { known, problems };
}

async function judge({ model, least }: SemanticRule, rows: readonly SampleResult[]) {
  const { embed, findNearness } = await import('../agents/openai-client.ts');
  const pairs = rows.flatMap((row) => {
    const { rules, answer, target } = row;
    return rules === null || answer === null || target === null ? [] : [{ key: resultKey(row), answer, target }];
  });
  const different = pairs.filter(({ answer, target }) => answer.trim() !== target.trim());
  const embeddings = await embed(
    different.flatMap(({ answer, target }) => [answer, target]),
    model,
  );
  const near = pairs.filter(({ answer, target }) => findNearness(embeddings, answer, target) >= least);
  const accepted = new Set(near.map(({ key }) => key));
  return (row: SampleResult) => accepted.has(resultKey(row));
}
