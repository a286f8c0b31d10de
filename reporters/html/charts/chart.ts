import { html, type Markup } from '../markup.ts';

/** Every chart is this wide in its own units; the page scales it. */
export const WIDTH = 720;

/** A drawing with a name and a sentence that says what it shows, for those who do not see it. */
export function renderChart(
  chart: { readonly title: string; readonly description: string; readonly height: number },
  body: readonly Markup[],
): Markup {
  const { title, description, height } = chart;
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${Math.ceil(height)}" role="img" aria-label="${title}. ${description}">
<desc>${description}</desc>${body}</svg></figure>
`;
}

/** A position with a tenth of a unit: enough to draw, and short. */
export function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A text of at most so many characters. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 3).toWellFormed()}...` : text;
}
