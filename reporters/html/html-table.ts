import type { SuiteTable } from '../suite-rows.ts';
import { html, type Markup } from './markup.ts';

/** A table with a caption; the first cell of each row names the row. */
export function renderTable(caption: string, { align, rows: [head = [], ...body] }: SuiteTable): Markup {
  const heads = head.map((cell, column) => html`<th scope="col" class="${align[column] ?? 'left'}">${cell}</th>`);
  return html`<div class="scroll"><table>
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${body.map((row) => renderRow(row, align))}</tbody>
</table></div>
`;
}

function renderRow(row: readonly string[], align: SuiteTable['align']): Markup {
  const cells = row.map((cell, column) => {
    const side = align[column] ?? 'left';
    return column === 0 ? html`<th scope="row" class="${side}">${cell}</th>` : html`<td class="${side}">${cell}</td>`;
  });
  return html`<tr>${cells}</tr>
`;
}
