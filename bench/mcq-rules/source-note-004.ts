import type { PublicRule } from './rule.ts';

/** Thinking stripped, a whole-text JSON answer, ALL / NONE OF THE ABOVE anywhere, else every letter A to F of the upper-cased text. */
export const sourceNote004: PublicRule = {
  name: 'source note 004, all letters',
  read: (output, { labels }) => {
    const said = spoken(output);
    if (said.includes('ALL OF THE ABOVE')) return labels;
    if (said.includes('NONE OF THE ABOVE') || said.trim() === 'NONE') return null;
    const letters = said.match(/\b[A-F]\b/gu);
    return letters === null ? null : [...new Set(letters)];
  },
};

/** The older form: the first letter only. */
export const sourceNote004First: PublicRule = {
  name: 'source note 004, first letter',
  read: (output) => {
    const letter = /\b[A-F]\b/u.exec(spoken(output));
    return letter === null ? null : [letter[0]];
  },
};

function spoken(output: string): string {
  const said = output.replace(/<think>[\s\S]*?<\/think>/gu, '');
  return (jsonAnswer(said) ?? said).toUpperCase();
}

function jsonAnswer(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'answer' in parsed ? String(parsed.answer) : null;
  } catch {
    return null;
  }
}
