import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../words/sample.ts';
import { toSample as toPlain } from '../words/types.fixture.ts';
import { refersToOptions, shuffleChoices, shuffleDataset } from './shuffle-choices.ts';

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
        const shuffled = shuffleChoices(sample, seed);
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
    expect(shuffleChoices(open, 3)).toBe(open);
    const samples = [open, toSample(['ant', 'bee'], 'A', 'closed')];
    const toNotes = (some: Sample[]) =>
      shuffleDataset({ name: 'x', samples: some, notes: [] }, 3).notes;
    expect(toNotes([open])).toEqual([]);
    expect(toNotes(samples)[0]?.text).toContain('of 1 question ');
  });

  it('orders the options of a question by its id and the seed alone', () => {
    const sample = toSample(['ant', 'bee', 'cow', 'dog'], 'B', 'q1');
    expect(shuffleChoices({ ...sample, input: 'another wording' }, 7).choices).toEqual(
      shuffleChoices(sample, 7).choices,
    );
    const orders = [1, 2, 3, 4, 5].map((seed) => textsOf(shuffleChoices(sample, seed)).join());
    expect(new Set(orders).size).toBeGreaterThan(1);
    expect(shuffleChoices(sample, 7).presentation?.seed).toBe(7);
  });

  it('puts the right option at every place about equally often', () => {
    const samples = Array.from({ length: 800 }, (_, index) =>
      toSample(['ant', 'bee', 'cow', 'dog'], 'A', `q${index}`),
    );
    const targets = samples.map((sample) => shuffleChoices(sample, 1).target);
    for (const label of 'ABCD') {
      const share = targets.filter((target) => target === label).length / targets.length;
      expect(share).toBeGreaterThan(0.2);
      expect(share).toBeLessThan(0.3);
    }
  });

  it('keeps "all of the above" and "none of the above" at the end of the list', () => {
    for (let seed = 0; seed < 20; seed++) {
      const options = ['ant', 'bee', 'cow', 'All of the above', 'None of the above'];
      const { choices, target } = shuffleChoices(toSample(options, 'D', 'q1'), seed);
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
        expect(textsOf(shuffleChoices(toSample(options, 'C', 'q1'), seed))).toEqual(options);
      }
    },
  );

  it('keeps labels that are numbers, and hidden targets hidden', () => {
    const choices = { 1: 'ant', 2: 'bee', 3: 'cow' };
    const { target, choices: moved } = shuffleChoices({ ...toSample([], null, 'q'), choices }, 3);
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
  const first = { kind: 'own', text: 'first' } as const;
  expect(shuffleDataset({ name: 'x', samples, notes: [first] }, 5).notes).toEqual([
    first,
    {
      kind: 'order',
      text: "EVAL_SHUFFLE_CHOICES=5: the options of 3 of 6 questions are in another order; 3 keep the file's order: an option refers to others, or the shuffle did not change the order.",
    },
  ]);
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
