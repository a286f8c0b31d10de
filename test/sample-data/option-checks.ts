import type { McqRow } from './read-mcq-sample.ts';
import { readNumbers } from './read-numbers.ts';

/** Says of one option whether it is right. */
export type OptionCheck = (option: string) => boolean;

/** Right is the option that states this number, whatever unit follows it. */
export function isNumber(value: number): OptionCheck {
  return (option) => Math.abs((readNumbers(option)[0] ?? Number.NaN) - value) < 1e-9;
}

/** Right is the option with exactly this text. */
export function isText(text: string): OptionCheck {
  return (option) => option === text;
}

/** Right are the options whose check, by their text, holds; an unknown text is an error of the table. */
export function holds(checks: Readonly<Record<string, boolean>>): OptionCheck {
  return (option) => {
    const verdict = checks[option];
    if (verdict === undefined) throw new Error(`No check for the option ${JSON.stringify(option)}. Add one.`);
    return verdict;
  };
}

/** The options that must be the truth: an all-option if all others are right, a none-option if none is. */
export function findRight({ options }: McqRow, check: OptionCheck): readonly string[] {
  const plain = options.filter((option) => !/^(All|None) of the above$/.test(option));
  const right = plain.filter(check);
  if (right.length === plain.length && options.includes('All of the above')) return ['All of the above'];
  if (right.length === 0 && options.includes('None of the above')) return ['None of the above'];
  return right;
}

export function isFraction(value: number): OptionCheck {
  return (option) => {
    const [numerator = Number.NaN, denominator = Number.NaN] = option.split('/').map(Number);
    return Math.abs(numerator / denominator - value) < 1e-9;
  };
}
