/** A word of a shell command line and where it stands. */
export type ShellWord = {
  /** What the shell makes of it; null when that depends on variables, patterns or commands. */
  readonly value: string | null;
  readonly start: number;
  readonly end: number;
  /** Whether the shell looks it up as a command: the first word, or the first behind an operator. */
  readonly isCommand: boolean;
  /** Whether the shell writes to it, as in `> file`. */
  readonly isTarget: boolean;
};

/** Finds the words of a POSIX shell command line. It only looks: what it does not understand has no value. */
export function splitShellWords(line: string): readonly ShellWord[] {
  const words: ShellWord[] = [];
  let [isCommand, isTarget] = [true, false];
  for (const { 0: token, index: start, groups = {} } of line.matchAll(TOKEN)) {
    if (groups['word'] === undefined) {
      isTarget = token.startsWith('>');
      isCommand ||= !/^[<>]/.test(token);
      continue;
    }
    const value = toValue(token);
    words.push({ value, start, end: start + token.length, isCommand, isTarget });
    // "NAME=value command": the command is still to come.
    isCommand &&= isTarget || (value !== null && /^\w+=/.test(value));
    isTarget = false;
  }
  return words;
}

/** A comment to its line's end, an operator, or a word of quoted and bare pieces; spaces match nothing. */
const TOKEN =
  /(?<![^\s;&|()])#[^\n]*|\n|[;&|()]+|[<>]+[&|-]?|(?<word>(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s;&|()<>'"\\])+)/g;

function toValue(token: string): string | null {
  let value = '';
  for (const [piece] of token.matchAll(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^'"\\]+/g)) {
    const text = toText(piece);
    if (text === null) return null;
    value += text;
  }
  return value;
}

function toText(piece: string): string | null {
  if (piece.startsWith("'")) return piece.slice(1, -1);
  if (piece.startsWith('\\')) return piece.slice(1);
  if (piece.startsWith('"')) return /[$`\\]/.test(piece) ? null : piece.slice(1, -1);
  return /[$`*?[\]{}~!]/.test(piece) ? null : piece;
}

/** A text as one shell word. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
