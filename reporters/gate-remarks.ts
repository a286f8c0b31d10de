import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import {
  explainNoGate,
  listFailing,
  nameAgent,
  nameLimit,
  nameSuite,
} from '../src/figures/exit-code.ts';
import type { GateResult } from '../src/figures/gates.ts';
import { groupBy } from '../src/figures/groups.ts';
import type { GroupSummary, SuiteSummary } from '../src/words/figures.ts';
import { lineIf, plural } from '../src/words/show.ts';
import { isOfVariant } from '../src/words/variant.ts';

/** The verdicts of the gates that fail the run ("bad"), hold ("good"), or decide nothing ("note"). */
export function listGates(level: 'note' | 'good' | 'bad') {
  return (outcome: RunOutcome): readonly string[] =>
    outcome.gates
      .filter((result) => {
        const rest = result.holds === true ? 'good' : 'note';
        return (failsRun(result, outcome) ? 'bad' : rest) === level;
      })
      .map((result) => toGateLine(result, outcome));
}

/** What to write into evals/gates.json to accept the accuracies of suites without a gate. */
export function describeGatesToWrite(outcome: RunOutcome): readonly string[] {
  // Else there is no accuracy yet that could be accepted.
  if (!outcome.summary.complete || outcome.runErrors.length > 0) return [];
  const { gates } = outcome.end;
  const failing = listFailing(outcome).filter((suite) => explainNoGate(suite, gates) === '');
  const bySuite = groupBy(failing, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  const proposed = [...bySuite.values()].flatMap(proposeGate).map((gate) => JSON.stringify(gate));
  const file = `write evals/gates.json: {"version":1,"gates":[${proposed.join(',')}]}`;
  const entry = `add to "gates" of evals/gates.json: ${proposed.join(',')}`;
  return lineIf(
    proposed.length > 0,
    `To accept this accuracy, ${gates.length === 0 ? file : entry}`,
  );
}

/** A gate that the worst variant of a suite meets; none below 5 %, which would check nothing. */
function proposeGate(variants: readonly [SuiteSummary, ...SuiteSummary[]]) {
  const [{ suite, dataset }] = variants;
  const accuracies = variants.map(({ groups }) => groups.at(-1)?.accuracy ?? 0);
  const min_accuracy = Math.floor(Math.min(...accuracies) * 20) / 20;
  return min_accuracy > 0 ? [{ suite, dataset, group: 'all', min_accuracy }] : [];
}

/** Whether a gate is missed, and decides the exit code. */
function failsRun({ gate, holds }: GateResult, { exit, leftOut }: RunOutcome): boolean {
  return holds === false && gate.advisory !== true && exit.code !== null && leftOut === 0;
}

function toGateLine(result: GateResult, outcome: RunOutcome): string {
  const { gate, holds, explanation } = result;
  const missed = failsRun(result, outcome) ? 'GATE MISSED' : 'gate missed';
  const verdict = holds === null ? 'gate not judged' : holds ? 'gate holds' : missed;
  const isAdvisory = gate.advisory === true ? ' (advisory)' : '';
  const subject = `${nameSuite(gate)}${nameAgent(gate, result, outcome.summary)}`;
  const selection = describeSelection(result, outcome);
  // A verdict names the figure, and a reason may be that of several gates.
  const limit = holds === null ? `${nameLimit(result)}: ` : '';
  return `${verdict}${isAdvisory}: ${subject}: ${limit}${explanation}${selection}`;
}

/** A gate that one question meets must not look like a gate that the whole dataset meets. */
function describeSelection(result: GateResult, { manifest, summary }: RunOutcome): string {
  const { gate } = result;
  const { n = 0, questions = 0 } = findGroup(result, summary.suites) ?? {};
  const sizes = manifest.suites.find(({ suite }) => suite === gate.suite)?.group_sizes ?? [];
  const whole = sizes
    .filter(([name]) => gate.group === 'all' || name === gate.group)
    .reduce((sum, [, samples]) => sum + samples, 0);
  const trials = questions < n ? `, ${plural(n, 'trial')}` : '';
  return n === 0 || questions >= whole
    ? ''
    : ` (on ${questions} of ${plural(whole, 'question')}${trials})`;
}

/** The figures that a gate judges. */
function findGroup(
  { gate, ...variant }: GateResult,
  suites: readonly SuiteSummary[],
): GroupSummary | undefined {
  const judged = suites.find(
    ({ suite, dataset, ...other }) =>
      suite === gate.suite && dataset === gate.dataset && isOfVariant(other, variant),
  );
  return judged?.groups.find(({ group }) => group === gate.group);
}
