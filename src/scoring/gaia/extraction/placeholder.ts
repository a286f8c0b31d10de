const BRACKETED = /^(?:\[([^[\]]*)\]|<([^<>]*)>|\{([^{}]*)\})$/;
const TEMPLATE =
  /^(?:(?:insert|enter|put|type|write|provide) )?(?:(?:your|the) )?(?:final |short )?answer(?: (?:goes )?here)?$/i;
const ADDRESSED = /\b(?:your|insert|here)\b/i;

/** Whether an answer is the unfilled template of a prompt, such as "[YOUR FINAL ANSWER]" or "...". */
export function isPlaceholder(answer: string): boolean {
  if (answer.length > 60) return false;
  const text = answer.replace(/[.…)"'”*`]{1,4}$/, '').trim();
  if (/^[.…]+$/.test(answer) && answer !== '.') return true;
  const inner = BRACKETED.exec(text)?.slice(1).join('').trim();
  if (inner !== undefined) return inner === '' || /^[.…]+$/.test(inner) || TEMPLATE.test(inner);
  return TEMPLATE.test(text) && ADDRESSED.test(text);
}
