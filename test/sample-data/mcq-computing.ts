import { holds, isNumber, isText, type OptionCheck } from './option-checks.ts';
import { readNumbers, sum } from './read-numbers.ts';

/** By question id: which option is right, worked out from the case context. Q25 is judged by reading. */
export const MCQ_COMPUTING: Readonly<Record<string, (context: string) => OptionCheck>> = {
  Q17: () => isNumber(2 ** 8 - 1),
  Q18: () => isNumber(0b101101),
  Q19: () => (option) => Number.parseInt(option, 16) === 189,
  Q20: () => isNumber(sum([1, 2, 3, 4, 5].filter((number) => number % 2 === 1))),
  Q21: () => judgeExpressions(true, false, true),
  Q22: (context) => isNumber(countPhotos(readNumbers(context))),
  Q23: (context) => isNumber(runStack(context)),
  Q24: (context) => isText(runQueue(context)),
  Q26: (context) => isText(passOnce(readNumbers(context)).join(', ')),
  Q27: (context) => isNumber(countLooks(readNumbers(context))),
  Q28: (context) => isNumber(computeSeconds(readNumbers(context))),
  Q29: () => (option) => Number.parseInt(option, 2) % 2 === 0,
  Q30: (context) => isText(new URL(/https:\S+/.exec(context)?.[0] ?? '').hostname),
  Q31: () => isNumber(4 * 6 - 4),
  Q32: () => judgeBits(4 * 8),
};

function judgeExpressions(x: boolean, y: boolean, z: boolean): OptionCheck {
  return holds({
    'x and y': x && y,
    'x or y': x || y,
    'not z': !z,
    'x and not y': x && !y,
    'y and z': y && z,
    'x and (y or z)': x && (y || z),
  });
}

function countPhotos([photo = Number.NaN, card = Number.NaN, , factor = Number.NaN]: readonly number[]): number {
  return (card * factor) / photo;
}

function runStack(context: string): number {
  const stack: number[] = [];
  for (const [step, pushed] of context.matchAll(/push (\d+)|pop/g)) {
    if (step === 'pop') stack.pop();
    else stack.push(Number(pushed));
  }
  return stack.at(-1) ?? Number.NaN;
}

function runQueue(context: string): string {
  const queue: string[] = [];
  for (const [, added] of context.matchAll(/add (\w+)|remove one/g)) {
    if (added === undefined) queue.shift();
    else queue.push(added);
  }
  return queue[0] ?? '';
}

function passOnce(numbers: readonly number[]): readonly number[] {
  const [first = Number.NaN, ...rest] = numbers;
  const passed: number[] = [];
  let carried = first;
  for (const number of rest) {
    passed.push(Math.min(carried, number));
    carried = Math.max(carried, number);
  }
  return [...passed, carried];
}

/** The most looks of a binary search over n names: it ends as soon as the middle one is the right one. */
function countLooks([names = Number.NaN]: readonly number[]): number {
  return names < 1 ? 0 : 1 + countLooks([Math.floor(names / 2)]);
}

function computeSeconds([megabits = Number.NaN]: readonly number[]): number {
  const megabytes = 600;
  return (megabytes * 8) / megabits;
}

function judgeBits(bits: number): OptionCheck {
  return holds({
    '32 bits': bits === 32,
    '8 groups of 4 bits': bits === 8 * 4,
    '2 words of 16 bits': bits === 2 * 16,
    'half of 8 bytes': bits === (8 * 8) / 2,
  });
}
