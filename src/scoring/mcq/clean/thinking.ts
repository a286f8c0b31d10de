import { finalChannelStart } from '../../outputs/final-channel.ts';
import { pattern } from '../pattern.ts';
import { applyEdits, type Edit, type TrackedText } from './tracked-text.ts';

const NAMES = 'think|thinking|thought|thoughts|reasoning|scratchpad|analysis|reflection|seed:think';
const TAG = pattern(`(<|\\[|◁)(/?)(?:${NAMES})(?:>|\\]|▷)`, 'gi');

/**
 * Removes what a model says it only thinks: blocks between thinking tags, everything before a closing tag that was
 * never opened, and every channel but the final one. `unfinished` is true when a block was never closed.
 */
export function removeThinking(source: TrackedText): { readonly said: TrackedText; readonly unfinished: boolean } {
  const edits: Edit[] = [];
  let open: number | null = null;
  for (const tag of source.text.matchAll(TAG)) {
    if (tag[2] === '') {
      open ??= tag.index;
      continue;
    }
    // A closing tag without its opening one: the template had opened the block, so all text so far is thinking.
    if (open === null) edits.length = 0;
    edits.push({ start: open ?? 0, end: tag.index + tag[0].length, text: '' });
    open = null;
  }
  if (open !== null) edits.push({ start: open, end: source.text.length, text: '' });
  return { said: finalChannel(applyEdits(source, edits)), unfinished: open !== null };
}

function finalChannel(source: TrackedText): TrackedText {
  return applyEdits(source, [{ start: 0, end: finalChannelStart(source.text), text: '' }]);
}
