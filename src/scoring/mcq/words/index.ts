import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { korean } from './korean.ts';
import type { Language } from './language.ts';
import { otherLanguages } from './other-languages.ts';
import { portuguese } from './portuguese.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

/** Every language that is read. To add one, write its file and name it here. */
export const languages: readonly Language[] = [
  english,
  chinese,
  spanish,
  french,
  german,
  portuguese,
  italian,
  japanese,
  korean,
  russian,
  arabic,
  otherLanguages,
];
