import { writeOutControls } from '../../src/text/visible-text.ts';

/** Text that is HTML already. Only `html` makes it, so what a dataset or an agent says is escaped wherever it is put. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Part[];

/** A template of HTML. What is put into it is escaped, control characters written out and long text cut, unless it is Markup. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const filled = template.map((text, index) => text + (index < parts.length ? toText(parts[index] ?? '') : ''));
  return new Markup(filled.join(''));
}

/** Nothing, where a part of a page is left out. */
export const NOTHING = new Markup('');

function toText(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(toText).join('');
}

const MAX_LENGTH = 600;

function escapeHtml(text: string): string {
  return writeOutControls(text, MAX_LENGTH).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
