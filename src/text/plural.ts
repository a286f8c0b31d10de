/** "1 question", "30 questions", "1 call was", "3 calls were". */
export function plural(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
