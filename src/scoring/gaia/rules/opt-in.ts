import { createAnyOf } from './any-of.ts';
import { createFuzzy } from './fuzzy.ts';
import type { GaiaRule } from './rule.ts';
import { createTolerance, type Tolerance } from './tolerance.ts';

/** A rule that is applied only where it is asked for by name; `accepted` are answers that a record has beside its truth. */
export type OptInRule = {
  readonly name: string;
  create(accepted: readonly string[]): GaiaRule;
};

/** What a rule may be called, for messages. */
export const OPT_IN_FORM =
  'fuzzy or fuzzy:SIMILARITY (0 to 1), tolerance, tolerance:5% or tolerance:0.05 (of the truth), tolerance:5abs (units), any-of';

const LEAST_ALIKE = 0.85;
const ONE_PERCENT: Tolerance = { amount: 0.01, relative: true };

/** Reads a name such as "fuzzy", "fuzzy:0.9", "tolerance:5%", "tolerance:0.5abs" or "any-of"; null when it is none. */
export function parseOptIn(name: string): OptInRule | null {
  const [kind, parameter = null] = splitOnce(name);
  if (kind === 'any-of' && parameter === null) return { name, create: (accepted) => createAnyOf(name, accepted) };
  if (kind === 'fuzzy') {
    const least = parameter === null ? LEAST_ALIKE : toNumber(parameter);
    return least === null || least <= 0 || least > 1 ? null : { name, create: () => createFuzzy(name, least) };
  }
  if (kind !== 'tolerance') return null;
  const tolerance = parameter === null ? ONE_PERCENT : toTolerance(parameter);
  return tolerance === null ? null : { name, create: () => createTolerance(name, tolerance) };
}

function splitOnce(name: string): readonly string[] {
  const colon = name.indexOf(':');
  return colon === -1 ? [name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function toTolerance(parameter: string): Tolerance | null {
  const unit = parameter.endsWith('%') ? '%' : parameter.endsWith('abs') ? 'abs' : '';
  const amount = toNumber(parameter.slice(0, parameter.length - unit.length));
  // A bare 5 would be 500 %, and is meant as 5 %.
  if (amount === null || (unit === '' && amount >= 1)) return null;
  return { amount: unit === '%' ? amount / 100 : amount, relative: unit !== 'abs' };
}

function toNumber(text: string): number | null {
  return /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : null;
}
