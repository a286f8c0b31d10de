/** A pattern from a source put together of words, read by characters: half of an emoji never matches. */
export function pattern(source: string, flags: '' | 'i' | 'g' | 'gi' | 'y' = ''): RegExp {
  return new RegExp(source, `${flags}u`);
}
