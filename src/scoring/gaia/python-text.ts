// What Python's `\s` and str.strip() take as blank. JavaScript's `\s` lacks U+001C-U+001F and U+0085 and adds U+FEFF.
const BLANK_CLASS = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const BLANK = new RegExp(`[${BLANK_CLASS}]`);
const BLANKS = new RegExp(`[${BLANK_CLASS}]+`, 'g');

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Whether one character is whitespace for Python. */
export function isPythonBlank(character: string): boolean {
  return BLANK.test(character);
}

/** Every run of Python whitespace replaced. */
export function replaceBlanks(text: string, replacement: '' | ' '): string {
  return text.replace(BLANKS, replacement);
}

/** Python's str.strip(). */
export function stripBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (isPythonBlank(text.charAt(start))) start += 1;
  while (isPythonBlank(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Without the 32 characters of Python's string.punctuation. */
export function deletePunctuation(text: string): string {
  return text.replace(PUNCTUATION, '');
}
