import { cut, escapeControls } from '../../src/words/show.ts';
import type { Table } from '../tables.ts';

/**
 * Text that is already HTML. Only `html` makes it, so text of datasets and agents is always
 * escaped.
 */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Part[];

/** An HTML template. Its parts are escaped, and cut if they are long, unless they are Markup. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const filled = template.map(
    (text, index) => text + (index < parts.length ? escapePart(parts[index] ?? '') : ''),
  );
  return new Markup(filled.join(''));
}

/** The Markup of a part that is left out. */
export const NOTHING = new Markup('');

function escapePart(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(escapePart).join('');
  return escapeMarkup(cut(String(part), MAX_LENGTH));
}

function escapeMarkup(text: string): string {
  return escapeControls(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const MAX_LENGTH = 600;

/** A table with a caption; the first cell of each row names the row. */
export function htmlTable(caption: string, { align, rows: [head = [], ...body] }: Table): Markup {
  const heads = head.map((cell, column) => {
    return html`<th scope="col" class="${align[column] ?? 'left'}">${cell}</th>`;
  });
  const rows = body.map((row) => {
    const cells = row.map((cell, column) => {
      const side = align[column] ?? 'left';
      return column === 0
        ? html`<th scope="row" class="${side}">${cell}</th>`
        : html`<td class="${side}">${cell}</td>`;
    });
    return html`<tr>${cells}</tr>
`;
  });
  return html`<div class="scroll"><table>
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows}</tbody>
</table></div>
`;
}
