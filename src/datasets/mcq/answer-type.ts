/**
 * Whether several options may be right, as an answer type says, by its text or as true or false; undefined when it
 * says nothing.
 * "Multiple choice" is the name of the form and says nothing.
 */
export function toMultiple(answerType: unknown): boolean | undefined {
  if (typeof answerType === 'boolean') return answerType;
  if (typeof answerType !== 'string') return undefined;
  const text = answerType.toLowerCase().replace(/multiple[\s_-]?choice/g, '');
  if (/single|\bone\b|true[\s/_-]{0,3}false/.test(text)) return false;
  return /multi/.test(text) ? true : undefined;
}
