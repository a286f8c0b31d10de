/**
 * Whether several options may be right, as the text of an answer type says; undefined when it does not.
 * "Multiple choice" is the name of the form and says nothing.
 */
export function toMultiple(answerType: unknown): boolean | undefined {
  if (typeof answerType !== 'string') return undefined;
  const text = answerType.toLowerCase().replace(/multiple[\s_-]?choice/g, '');
  if (/single|\bone\b|true[\s/_-]{0,3}false/.test(text)) return false;
  return /multi/.test(text) ? true : undefined;
}
