import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../words/sample.ts';
import { toSample as toPlain } from '../words/types.fixture.ts';
import { noteOrders, refersToOptions, shuffleChoices } from './shuffle-choices.ts';

describe('shuffleChoices', () => {
  it('keeps every text once, and the right texts right', () => {
    const texts = fc.uniqueArray(fc.constantFrom('ant', 'bee', 'cow', 'dog', 'eel', 'fox', 'gnu'), {
      minLength: 2,
    });
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), fc.array(fc.boolean()), (options, id, seed, flags) => {
        const labels = options.map((_, index) => String.fromCharCode(65 + index));
        const target = labels.filter((_, index) => flags[index] === true).join(',') || 'NONE';
        const sample = toSample(options, target, `q${id}`);
        const shuffled = shuffleChoices(sample, seed)(1);
        expect(textsOf(shuffled).toSorted()).toEqual(textsOf(sample).toSorted());
        expect(Object.keys(shuffled.choices ?? {})).toEqual(labels);
        expect(rightTexts(shuffled)).toEqual(rightTexts(sample));
        const own = shuffled.presentation?.ownLabels ?? {};
        for (const [label, text] of Object.entries(shuffled.choices ?? {})) {
          expect(sample.choices?.[own[label] ?? '']).toBe(text);
        }
      }),
    );
  });

  it('leaves a question without options as it is, and does not count it', () => {
    const { choices: _, ...open } = toSample(['ant', 'bee'], 'ant', 'open');
    expect(shuffleChoices(open, 3)(1)).toBe(open);
    const samples = [open, toSample(['ant', 'bee'], 'A', 'closed')];
    expect(noteOrders([open], 3, 1)).toEqual([]);
    expect(noteOrders(samples, 3, 1)[0]?.text).toContain('of 1 question ');
  });

  it('orders the options of a question by its id and the seed alone', () => {
    const sample = toSample(['ant', 'bee', 'cow', 'dog'], 'B', 'q1');
    expect(shuffleChoices({ ...sample, input: 'another wording' }, 7)(1).choices).toEqual(
      shuffleChoices(sample, 7)(1).choices,
    );
    const orders = [1, 2, 3, 4, 5].map((seed) => textsOf(shuffleChoices(sample, seed)(1)).join());
    expect(new Set(orders).size).toBeGreaterThan(1);
    expect(shuffleChoices(sample, 7)(1).presentation?.seed).toBe(7);
  });

  it('puts the right option at every place about equally often', () => {
    const samples = Array.from({ length: 800 }, (_, index) =>
      toSample(['ant', 'bee', 'cow', 'dog'], 'A', `q${index}`),
    );
    const targets = samples.map((sample) => shuffleChoices(sample, 1)(1).target);
    for (const label of 'ABCD') {
      const share = targets.filter((target) => target === label).length / targets.length;
      expect(share).toBeGreaterThan(0.2);
      expect(share).toBeLessThan(0.3);
    }
  });

  it('keeps "all of the above" and "none of the above" at the end of the list', () => {
    for (let seed = 0; seed < 20; seed++) {
      const options = ['ant', 'bee', 'cow', 'All of the above', 'None of the above'];
      const { choices, target } = shuffleChoices(toSample(options, 'D', 'q1'), seed)(1);
      expect([choices?.['D'], choices?.['E'], target]).toEqual([
        'All of the above',
        'None of the above',
        'D',
      ]);
    }
  });

  it.each([[['ant', 'All of the above', 'bee', 'cow']], [['ant', 'bee', 'Both A and B', 'cow']]])(
    'leaves %j as they are',
    (options) => {
      for (let seed = 0; seed < 20; seed++) {
        expect(textsOf(shuffleChoices(toSample(options, 'C', 'q1'), seed)(1))).toEqual(options);
      }
    },
  );

  it('keeps labels that are numbers, and hidden targets hidden', () => {
    const choices = { 1: 'ant', 2: 'bee', 3: 'cow' };
    const { target, choices: moved } = shuffleChoices(
      { ...toSample([], null, 'q'), choices },
      3,
    )(1);
    expect(target).toBeNull();
    expect(Object.keys(moved ?? {})).toEqual(['1', '2', '3']);
  });
});

it('says how many questions it left as they are', () => {
  const samples = [
    ...Array.from({ length: 3 }, (_, index) =>
      toSample(['ant', 'bee', 'A and B'], 'A', `unmoved${index}`),
    ),
    ...Array.from({ length: 3 }, (_, index) =>
      toSample([...'mnopqrstuvwxyz'], 'A', `moved${index}`),
    ),
  ];
  const say = (each: string) => [
    {
      kind: 'order',
      text: `EVAL_SHUFFLE_CHOICES=5: the options of 3 of 6 questions are in another order${each}; 3 keep the file's order: an option refers to others, or the shuffle did not change the order.`,
    },
  ];
  expect(noteOrders(samples, 5, 1)).toEqual(say(''));
  expect(noteOrders(samples, 5, 4)).toEqual(say(', drawn again for each of 4 trials'));
  expect(noteOrders(samples, undefined, 4)).toEqual([]);
});

describe('with several trials', () => {
  const letters = toSample(['ant', 'bee', 'cow', 'dog'], 'B', 'q1');
  const ordersOf = (sample: Sample, trials: number) =>
    Array.from({ length: trials }, (_, index) => textsOf(shuffleChoices(sample, 7)(index + 1)));

  it('each draws an order of its own, which no other trial changes', () => {
    const orders = ordersOf(letters, 200).map(String);
    // Of 24 orders of four options, 200 draws miss one in 200 times.
    expect(new Set(orders).size).toBeGreaterThan(20);
    expect(ordersOf(letters, 4).map(String)).toEqual(orders.slice(0, 4));
  });

  it('the orders of a seed are the same in every version, or replays and caches would break', () => {
    expect(ordersOf(letters, 3)).toEqual([
      ['ant', 'dog', 'bee', 'cow'],
      ['dog', 'ant', 'bee', 'cow'],
      ['bee', 'cow', 'dog', 'ant'],
    ]);
  });

  it('two options have two orders, and options that name others have one', () => {
    const pair = ordersOf(toSample(['yes', 'no'], 'A', 'q1'), 40).map(String);
    expect(new Set(pair)).toEqual(new Set(['yes,no', 'no,yes']));
    const named = ordersOf(toSample(['ant', 'bee', 'Both A and B'], 'A', 'q1'), 40).map(String);
    expect(new Set(named).size).toBe(1);
  });

  it('puts the right option of a question at every place about equally often', () => {
    const numbers = Array.from({ length: 800 }, (_, index) => index + 1);
    const targets = numbers.map((trial) => shuffleChoices(letters, 1)(trial).target);
    for (const label of 'ABCD') {
      const share = targets.filter((target) => target === label).length / targets.length;
      expect(share).toBeGreaterThan(0.2);
      expect(share).toBeLessThan(0.3);
    }
  });
});

it.each([
  ...'Both A and B;A and C only;A, B and D;Either (a) or (b);Neither B nor C;A & D;A和B;Only B;B only'.split(
    ';',
  ),
  ...'Option C is right;All except (D);Two of the above;The previous option;None of these options above'.split(
    ';',
  ),
])('takes %j for an option that refers to others', (text) => {
  expect(refersToOptions(text, ['A', 'B', 'C', 'D'])).toBe(true);
});

it.each(
  'Only a physician;salt and pepper;E or F;Above 40 degrees;A plan;a, as in cat;But a few;'.split(
    ';',
  ),
)('takes %j for an option that refers to no other', (text) => {
  expect(refersToOptions(text, ['A', 'B', 'C', 'D'])).toBe(false);
});

it('knows labels that are numbers', () => {
  expect(refersToOptions('1 and 3', ['1', '2', '3'])).toBe(true);
  expect(refersToOptions('1 and 3', ['A', 'B', 'C'])).toBe(false);
});

function toSample(texts: readonly string[], target: string | null, id: string): Sample {
  const choices = Object.fromEntries(
    texts.map((text, index) => [String.fromCharCode(65 + index), text]),
  );
  return toPlain({ id, target, choices });
}

function textsOf({ choices = {} }: Sample): string[] {
  return Object.values(choices);
}

function rightTexts({ target, choices = {} }: Sample): string[] {
  return String(target ?? '')
    .split(',')
    .map((label) => choices[label] ?? label)
    .toSorted();
}
