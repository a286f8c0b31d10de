import type { Exit } from '../src/metrics/exit-code.ts';
import type { GateResult } from '../src/metrics/gates.ts';
import type { Manifest } from '../src/runs/manifest.ts';
import { plural } from '../src/text/plural.ts';
import type { GroupSummary, Summary } from '../src/types.ts';

/** What a gate says of one agent, in a line; loud only where the gate decides the exit code. */
export function toGateRemark(
  result: GateResult,
  { manifest, summary, exit }: { readonly manifest: Manifest; readonly summary: Summary; readonly exit: Exit },
): string {
  const { gate, agent, holds, explanation } = result;
  const decides = gate.advisory !== true && exit.code !== null;
  const missed = decides ? 'GATE MISSED' : 'gate missed';
  const verdict = holds === null ? 'gate not judged' : holds ? 'gate holds' : missed;
  const weight = gate.advisory === true ? ' (advisory)' : '';
  const selection = describeSelection(findGroup(result, summary), countDataset(result, manifest));
  return `${verdict}${weight}: ${gate.suite} (${gate.dataset}, ${agent}): ${explanation}${selection}`;
}

/** A gate that holds for one question must not look like one that holds for the dataset. */
function describeSelection(group: GroupSummary | undefined, whole: number): string {
  if (group === undefined || group.questions >= whole) return '';
  const { n, graded, questions } = group;
  const facts = [
    `n = ${n}`,
    ...(questions < n ? [plural(questions, 'question')] : []),
    ...(graded < n ? [`${graded} graded`] : []),
    `a selection of ${whole}`,
  ];
  return ` (${facts.join(', ')})`;
}

function findGroup({ gate, agent }: GateResult, { suites }: Summary): GroupSummary | undefined {
  const own = suites.find(
    (suite) => suite.suite === gate.suite && suite.dataset === gate.dataset && suite.agent === agent,
  );
  return own?.groups.find(({ group }) => group === gate.group);
}

/** How many questions the whole dataset has in the gate's group; 0 where an older manifest does not say. */
function countDataset({ gate }: GateResult, { suites }: Manifest): number {
  const sizes = suites.find(({ suite }) => suite === gate.suite)?.group_sizes ?? [];
  const own = sizes.filter(([group]) => gate.group === 'all' || group === gate.group);
  return own.reduce((sum, [, samples]) => sum + samples, 0);
}
