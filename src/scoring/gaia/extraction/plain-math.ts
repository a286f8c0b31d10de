/** Math without LaTeX spacing: `1{,}000` is 1,000 and `5\,000` is 5000. */
export function plainMath(text: string): string {
  return text
    .replace(/\{,\}/g, ',')
    .replace(/\\[,!]/g, '')
    .replace(/\\[;: ]/g, ' ');
}
