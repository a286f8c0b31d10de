/** The numbers of a text in order: "3,847" is one number, and a minus counts only at the start of a word. */
export function readNumbers(text: string): readonly number[] {
  const written = text.matchAll(/(?<![\w.-])-?\d+(?:,\d{3})*(?:\.\d+)?/g);
  return Array.from(written, ([digits]) => Number(digits.replaceAll(',', '')));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
