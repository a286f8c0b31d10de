import { groupBySide } from '../src/metrics/groups.ts';
import { listCriteria } from '../src/metrics/judge-calibration.ts';
import { hasRun } from '../src/states.ts';
import { findModel } from '../src/text/hide-records.ts';
import { lineIf, partOf, pickVariant, plural } from '../src/text/wording.ts';
import type { CriterionVerdicts, SampleResult } from '../src/types.ts';
import type { Remark } from './remarks.ts';

/** Where verdicts of judges are missing or differ, and judges of the agent's own model. */
export function toJudgeRemarks(results: readonly SampleResult[]): readonly Remark[] {
  return [...groupBySide(results).values()].flatMap((rows) => {
    const [first] = rows;
    const judged = rows.flatMap((row) => row.judge ?? []);
    const open = rows.filter((row) => !hasRun(row) && row.reason === 'judge');
    const differing = rows.filter((row) => listCriteria(row).some(disagree));
    const again = open.some(hasFailed) ? '. The next run asks failed judges again.' : '';
    const none = `${partOf(open.length, judged.length, 'judged answer', 'has', 'have')} no verdict (${countWhy(open)})`;
    const said = [
      ...lineIf(open.length > 0, `${none}: neither right nor wrong${again}`),
      ...lineIf(
        differing.length > 0,
        `the judges disagree on ${differing.length} of ${plural(judged.length, 'answer')}; report.html has their reasons`,
      ),
      ...findOwnJudges(rows).map(
        (judge) => `${judge} judges answers of its own model, which it may prefer`,
      ),
    ];
    return said.map((text) => ({ suite: first.suite, ...pickVariant(first), text }));
  });
}

function disagree({ verdicts }: CriterionVerdicts): boolean {
  return new Set(verdicts.filter((one) => one !== 'error')).size > 1;
}

function countWhy(rows: readonly SampleResult[]): string {
  const reasons = rows.map((row) => {
    const verdicts = row.judge?.verdicts ?? [];
    if (hasFailed(row)) return 'judge failed';
    return verdicts.every((verdict) => verdict === 'cannot_tell') ? 'cannot tell' : 'no majority';
  });
  return [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, { length }]) => `${reason} ${length}`)
    .join(', ');
}

function hasFailed({ judge }: Pick<SampleResult, 'judge'>): boolean {
  return judge?.verdicts.includes('error') === true;
}

/** The judges with the model of the agent, by its spec or as its provider names it. */
function findOwnJudges(rows: readonly SampleResult[]): readonly string[] {
  const asked = new Set(
    rows.flatMap(({ agent, model }) => [findModel(agent), model].flatMap((name) => name ?? [])),
  );
  const judges = new Set(rows.flatMap((row) => listCriteria(row).flatMap(({ models }) => models)));
  return [...judges].filter((judge) => {
    const own = findModel(judge);
    return (
      own !== null && [...asked].some((model) => isVersionOf(own, model) || isVersionOf(model, own))
    );
  });
}

/** Whether a name is another's, without the provider before it or with a version behind it. */
function isVersionOf(model: string, name: string): boolean {
  const [short = '', whole = ''] = [model, name].map((text) =>
    text.slice(text.lastIndexOf('/') + 1),
  );
  return (
    whole === short ||
    (whole.startsWith(short) && /^[-:@.](?:\d[\w.-]*|latest|free)$/.test(whole.slice(short.length)))
  );
}
