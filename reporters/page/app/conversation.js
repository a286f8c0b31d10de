import { oneLine } from './format.js';
import { html } from './html.js';
import { LongText } from './parts.js';

/** @import { Turn } from '../../../src/words/conversation.ts' */

/** What was said, as bubbles. Thoughts, calls of tools and system prompts are folded. @param {{ turns: readonly Turn[] }} props */
export function Conversation({ turns }) {
  return html`<ol class="conversation">
    ${turns.map((turn, at) => html`<${Said} key=${at} turn=${turn} />`)}
  </ol>`;
}

/** @param {{ turn: Turn }} props */
function Said({ turn: { who, does, text, note } }) {
  const side =
    who === 'user' ? 'by-user' : who === 'model' || who === 'assistant' ? 'by-model' : 'by-tool';
  const name = does === undefined ? who : `${who} ${does}`;
  if (does === undefined && side !== 'by-tool')
    return html`<li class=${`bubble ${side}`}>
      <small>${name}${note !== undefined && ` · ${note}`}</small>
      <${LongText} text=${text} most=${1200} />
    </li>`;
  return html`<li>
    <details class=${`fold ${side} ${does === 'failed' ? 'has-failed' : ''}`}>
      <summary>
        <b>${name}</b><span class="quiet grow">${oneLine(text, 90)}</span>${note !== undefined && html`<small>${note}</small>`}
      </summary>
      <pre dir="auto">${layOut(text)}</pre>
    </details>
  </li>`;
}

/** JSON on several lines; any other text as it is. @param {string} text */
function layOut(text) {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
