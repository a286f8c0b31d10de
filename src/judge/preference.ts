import { findMajority } from '../words/panel.ts';
import type { PairVerdict, PairVerdicts } from '../words/row.ts';

/** What a panel prefers, by the verdicts of each judge in both orders. */
export function decidePair(
  verdicts: PairVerdicts['verdicts'],
): Pick<PairVerdicts, 'outcome' | 'tie'> {
  const read = verdicts.map(readBoth);
  const most = findMajority(read.map(({ side }) => side));
  if (most === 'win' || most === 'loss') return { outcome: most };
  const isJudged = read.filter(({ side }) => side !== null).length > verdicts.length / 2;
  if (!isJudged) return { outcome: null };
  return read.some(({ isTurned }) => isTurned)
    ? { outcome: 'tie', tie: 'turned' }
    : { outcome: 'tie' };
}

type Side = 'win' | 'tie' | 'loss';

/** A judge that names another answer when the order is reversed prefers none. */
function readBoth([own, reversed]: readonly [PairVerdict, PairVerdict]) {
  const [one, other] = [WITH_OWN_FIRST[own], WITH_OWN_SECOND[reversed]];
  if (one === undefined || other === undefined) return { side: null, isTurned: false };
  return one === other ? { side: one, isTurned: false } : { side: 'tie', isTurned: true };
}

type Sides = Readonly<Partial<Record<PairVerdict, Side>>>;

const WITH_OWN_FIRST: Sides = { first: 'win', second: 'loss', tie: 'tie' };
const WITH_OWN_SECOND: Sides = { first: 'loss', second: 'win', tie: 'tie' };
