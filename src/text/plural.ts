/** "1 question", "30 questions", "1 call was", "3 calls were". */
export function plural(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** "1 of 40 results was", "3 of 40 results were". */
export function partOf(part: number, whole: number, noun: string, one: string, several: string): string {
  return `${part} of ${plural(whole, noun)} ${part === 1 ? one : several}`;
}
