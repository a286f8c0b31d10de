import type { Language } from './language.ts';
import { noWords } from './no-words.ts';

/** The answer line of further languages; a language that needs more gets a file of its own. */
export const otherLanguages: Language = {
  ...noWords,
  spaced: true,
  answer: [
    'antwoord', // Dutch
    'svar', // Danish, Norwegian, Swedish
    'vastaus', // Finnish
    'odpowied[źz]', // Polish
    'odpov[ěe]ď', // Czech
    'cevap', // Turkish
    'yan[ıi]t', // Turkish
    'đáp án', // Vietnamese
    'jawaban', // Indonesian
    'jibu', // Swahili
    'відповідь', // Ukrainian
    'उत्तर', // Hindi
    'উত্তর', // Bengali
  ],
  option: ['optie', 'opsi', 'seçenek'],
  right: ['juiste', 'poprawna', 'do[ğg]ru', 'benar', 'đúng'],
  is: ['is', 'adalah', 'là', 'to'],
};
