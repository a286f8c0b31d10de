import { describe, expect, it } from 'vitest';
import { toKnownQuestion } from '../reading.ts';
import { labelOrdinals } from './ordinals.ts';
import { track } from './tracked-text.ts';

const letters = { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' };

describe('labelOrdinals', () => {
  it.each([
    ['It is the second option.', 'It is the option B.'],
    ['The last option', 'The option D'],
    ['Second option', 'option B'],
    ['Last option', 'option D'],
    ['The first and the third option', 'The option A and C'],
    ['first, second and fourth options', 'option A and B and D'],
    ['the second listed option', 'the option B'],
    ['the third answer option', 'the option C'],
    ['the fourth given option', 'the option D'],
    ['the fifth option', 'the fifth option'],
    ['my first choice', 'my first choice'],
    ['the second letter and the third item', 'the second letter and the third item'],
    ['the second statement', 'the second statement'],
    ['Option 2', 'Option B'],
    ['option number 3, option no. 4, option #1', 'option C, option D, option A'],
    ['Option 7', 'Option 7'],
    ['option 2nd', 'option 2nd'],
    ['answer 3% or 2.5', 'answer 3% or 2.5'],
    ['第二个选项', 'option B'],
    ['die zweite Option', 'die option B'],
    ['la tercera opción', 'la option C'],
  ])('%j becomes %j', (text, labelled) => {
    expect(labelOrdinals(track(text), toKnownQuestion({ choices: letters })).text).toBe(labelled);
  });

  it.each([
    ['the third option, option 2', { '1': 'Danube', '2': 'Rhine', '3': 'Elbe' }, 'the option 3, option 2'],
    ['the third option, option 2', { '0': 'Danube', '1': 'Rhine', '2': 'Elbe' }, 'the option 2, option 2'],
    ['option 2', { '0': 'Danube', '1': 'Rhine', '2': 'Elbe', X: 'none of them' }, 'option 2'],
  ])('leaves numbers where they are labels: %j', (text, choices, labelled) => {
    expect(labelOrdinals(track(text), toKnownQuestion({ choices })).text).toBe(labelled);
  });

  it('leaves all where labels are unknown', () => {
    const source = track('the third option');
    expect(labelOrdinals(source, toKnownQuestion({}))).toBe(source);
  });
});
