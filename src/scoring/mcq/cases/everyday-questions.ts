import type { ChoiceQuestion } from '../extraction.ts';

/** Further questions of the tables; all made up. */
export const everydayQuestions: Readonly<Record<string, ChoiceQuestion>> = {
  cities: { choices: { A: 'Paris', B: 'London', C: 'Madrid', D: 'Rome' } },
  'cities, several right': { choices: { A: 'Paris', B: 'London', C: 'Madrid', D: 'Rome' }, multiple: true },
  'lipid steps': {
    choices: {
      A: 'Check triglycerides',
      B: 'Reduce the lipid rate',
      C: 'Add carnitine',
      D: 'Hold dextrose',
      E: 'All of the above',
      F: 'None of the above',
    },
  },
  'lipid steps, several right': {
    choices: {
      A: 'Check triglycerides',
      B: 'Reduce the lipid rate',
      C: 'Add carnitine',
      D: 'Hold dextrose',
      E: 'All of the above',
      F: 'None of the above',
    },
    multiple: true,
  },
  'rocks by digit': { choices: { '1': 'granite', '2': 'marble', '3': 'chalk', '4': 'slate' } },
  enzymes: {
    choices: {
      A: 'The enzyme is inhibited by its product',
      B: 'The substrate binds outside the active site',
      C: 'The reaction is not reversible',
      D: 'The enzyme changes shape when heated',
    },
  },
  'diabetes drugs': {
    choices: { A: 'Metformin', B: 'Insulin glargine', C: 'Sitagliptin', D: 'Glipizide', E: 'Empagliflozin' },
  },
  apples: { choices: { A: '12', B: '15', C: '18', D: '21' } },
  'ten weathers': {
    choices: {
      A: 'rain',
      B: 'snow',
      C: 'hail',
      D: 'sleet',
      E: 'fog',
      F: 'frost',
      G: 'dew',
      H: 'mist',
      I: 'wind',
      J: 'thunder',
    },
  },
  species: { choices: { A: 'C. elegans', B: 'E. coli', C: 'D. melanogaster', D: 'A. thaliana' } },
  poems: { choices: { a: 'a sonnet', b: 'an ode', c: 'a ballad', d: 'a haiku' } },
  'enzymes, several right': {
    choices: {
      A: 'The enzyme is inhibited by its product',
      B: 'The substrate binds outside the active site',
      C: 'The reaction is not reversible',
      D: 'The enzyme changes shape when heated',
    },
    multiple: true,
  },
  'rocks by digit, several right': {
    choices: { '1': 'granite', '2': 'marble', '3': 'chalk', '4': 'slate' },
    multiple: true,
  },
  'diabetes drugs, several right': {
    choices: { A: 'Metformin', B: 'Insulin glargine', C: 'Sitagliptin', D: 'Glipizide', E: 'Empagliflozin' },
    multiple: true,
  },
  gases: { choices: { A: 'Neon', B: 'Argon', C: 'Xenon', D: 'Helium' } },
  'sodium steps': {
    choices: {
      A: 'Give potassium chloride',
      B: 'Stop the infusion',
      C: 'Recheck the sodium in 4 hours',
      D: 'Increase amino acids to 2 g/kg/day',
      E: 'Call the surgeon',
    },
  },
  rates: { choices: { A: 'increases', B: 'decreases', C: 'does not change' } },
  shares: { choices: { A: '10%', B: '25%', C: '50%', D: '75%' } },
  'yes or no': { choices: { A: 'Yes', B: 'No' } },
  'statements I to III': { choices: { A: 'I only', B: 'II only', C: 'I and III', D: 'I, II and III' } },
  composers: { choices: { '1': 'Bach', '2': 'Handel', '3': 'Haydn', '4': 'Mozart', '5': 'Vivaldi' } },
  'ten trees': {
    choices: {
      A: 'oak',
      B: 'elm',
      C: 'ash',
      D: 'fir',
      E: 'yew',
      F: 'larch',
      G: 'beech',
      H: 'birch',
      I: 'maple',
      J: 'poplar',
    },
  },
  'the false statement': {
    choices: {
      A: 'The heart has four chambers',
      B: 'Veins carry blood to the heart',
      C: 'Arteries have no muscle',
      D: 'Capillaries exchange gases',
    },
    multiple: false,
  },
  'gases, several right': { choices: { A: 'Neon', B: 'Argon', C: 'Xenon', D: 'Helium' }, multiple: true },
  'sodium steps, several right': {
    choices: {
      A: 'Give potassium chloride',
      B: 'Stop the infusion',
      C: 'Recheck the sodium in 4 hours',
      D: 'Increase amino acids to 2 g/kg/day',
      E: 'Call the surgeon',
    },
    multiple: true,
  },
  mammals: {
    choices: { A: 'All mammals lay eggs', B: 'Whales are mammals', C: 'Bats cannot fly', D: 'None of the above' },
  },
  'mammals, several right': {
    choices: { A: 'Whales are mammals', B: 'Bats can fly', C: 'Seals nurse their young', D: 'All of the above' },
    multiple: true,
  },
  planets: { choices: { A: 'Mercury', B: 'Venus', C: 'Mars', D: 'Jupiter', E: 'Saturn' } },
  feeding: {
    choices: {
      A: 'Start enteral feeding at 20 mL/h',
      B: 'Continue parenteral nutrition',
      C: 'Stop all nutrition',
      D: 'Add vitamin K to the bag',
    },
    multiple: false,
  },
  doses: { choices: { A: '2.5 mEq/kg', B: '3 mEq/kg', C: '4 mEq/kg', D: 'None of these' } },
  'metals by digit': { choices: { '1': 'iron', '2': 'gold', '3': 'tin', '4': 'lead', '5': 'zinc' } },
  'planets, several right': {
    choices: { A: 'Mercury', B: 'Venus', C: 'Mars', D: 'Jupiter', E: 'Saturn' },
    multiple: true,
  },
  'feeding, several right': {
    choices: {
      A: 'Start enteral feeding at 20 mL/h',
      B: 'Continue parenteral nutrition',
      C: 'Stop all nutrition',
      D: 'Add vitamin K to the bag',
      E: 'All of the above',
    },
    multiple: true,
  },
  instruments: { choices: { A: 'Violin', B: 'Cello', C: 'Flute', D: 'Oboe' } },
  diagnoses: {
    choices: {
      A: 'Refeeding syndrome',
      B: 'Essential fatty acid deficiency',
      C: 'Zinc deficiency',
      D: 'Catheter-related infection',
      E: 'Hepatic steatosis',
    },
    multiple: false,
  },
  'small sums': { choices: { A: '6', B: '8', C: '10', D: '12' }, multiple: false },
  shifts: { choices: { A: 'to the left', B: 'to the right', C: 'no shift' }, multiple: false },
  'instruments, several right': { choices: { A: 'Violin', B: 'Cello', C: 'Flute', D: 'Oboe' }, multiple: true },
  'diagnoses, several right': {
    choices: {
      A: 'Refeeding syndrome',
      B: 'Essential fatty acid deficiency',
      C: 'Zinc deficiency',
      D: 'Catheter-related infection',
      E: 'Hepatic steatosis',
    },
    multiple: true,
  },
  fruits: { choices: { A: 'Apple', B: 'Banana', C: 'Cherry', D: 'Date' } },
  'fruits, one right': { choices: { A: 'Apple', B: 'Banana', C: 'Cherry', D: 'Date' }, multiple: false },
  'glucose steps': {
    choices: {
      A: 'Reduce the dextrose to 4 mg/kg/min',
      B: 'Add insulin to the bag',
      C: 'Switch to a peripheral line',
      D: 'Increase lipids to 3 g/kg/day',
      E: 'None of the above',
    },
    multiple: false,
  },
  'glucose steps, several right': {
    choices: {
      A: 'Reduce the dextrose to 4 mg/kg/min',
      B: 'Add insulin to the bag',
      C: 'Switch to a peripheral line',
      D: 'Increase lipids to 3 g/kg/day',
    },
    multiple: true,
  },
  'fruits, several right': { choices: { A: 'Apple', B: 'Banana', C: 'Cherry', D: 'Date' }, multiple: true },
  vehicles: { choices: { A: 'Car', B: 'Train', C: 'Ship', D: 'Plane' } },
  'vehicles, one right': { choices: { A: 'Car', B: 'Train', C: 'Ship', D: 'Plane' }, multiple: false },
  'vehicles, several right': { choices: { A: 'Car', B: 'Train', C: 'Ship', D: 'Plane' }, multiple: true },
};
