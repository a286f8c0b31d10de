import { expect, test } from 'vitest';
import { cpuTime } from '../cpu-time.ts';
import { BOUNDED, boundOf } from './patterns/bounded.ts';
import { collectBuilt, collectLiterals, type Pattern } from './patterns/collect.ts';

/*
 * Times each pattern of the source on texts that repeat what it looks for; extract-choice.test.ts
 * times the reading of answers as a whole.
 */

const LENGTH = 40_000;

/** A quadratic pattern takes seconds for so much text, a linear one a millisecond. */
const MOST_MS = 150;

const SIGNS = [...' \n\ta0.-,"\'\\([{<*`$/:_=|#'];

/**
 * What to repeat: each sign, and words and signs that the pattern itself looks for, from all over a
 * list of words.
 */
function pumpsOf({ source }: Pattern): readonly string[] {
  const words =
    source.replaceAll(/\\u[\da-f]{4}|\\p\{[^}]*\}/gi, '').match(/[A-Za-z]{2,12}|[^\w\s\\]/g) ?? [];
  const all = [...new Set(words)];
  const some = all.filter((_, i) => i % Math.ceil(all.length / 10) === 0);
  return [
    ...new Set([...SIGNS, ...some, ...some.map((word) => `${word} `), some.slice(0, 4).join('')]),
  ];
}

function slowest(pattern: Pattern): { readonly ms: number; readonly pump: string } {
  const length = boundOf(pattern)?.most ?? LENGTH;
  const [first = ''] = pattern.source.match(/[A-Za-z]{2,12}|[^\w\s\\^(]/g) ?? [];
  const times = pumpsOf(pattern).flatMap((pump) =>
    ['', first].map((before) => ({
      pump: before + pump,
      ms: timeOf(pattern, attack(before, pump, length)),
    })),
  );
  return times.reduce((worst, each) => (each.ms > worst.ms ? each : worst));
}

function attack(before: string, pump: string, length: number): string {
  return pump === '' ? before : `${before}${pump.repeat(Math.ceil(length / pump.length))}\u0001`;
}

/** The lesser of two, since something else may run meanwhile. */
function timeOf({ source, flags }: Pattern, text: string): number {
  const once = () => {
    const start = cpuTime();
    // A sticky pattern is asked in many places.
    text.replace(new RegExp(source, `${flags.replace(/[gy]/g, '')}g`), '');
    return cpuTime() - start;
  };
  const ms = once();
  return ms < MOST_MS ? ms : Math.min(ms, once());
}

test('no regular expression takes more than proportional time for hostile text', async () => {
  const patterns = [...collectLiterals(), ...(await collectBuilt())];
  expect(patterns.length).toBeGreaterThan(500);
  const slow = patterns
    .map((pattern) => ({ pattern, ...slowest(pattern) }))
    .filter(({ ms }) => ms > MOST_MS);
  expect(
    slow.map(
      ({ pattern, pump, ms }) => `${pattern.where} ${pattern.source}: ${pump} ${Math.round(ms)} ms`,
    ),
  ).toEqual([]);
  // A reason whose pattern is gone would hide the next one.
  expect(
    BOUNDED.filter((bound) => !patterns.some((pattern) => boundOf(pattern) === bound)),
  ).toEqual([]);
});
