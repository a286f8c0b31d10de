import { disarmCommands } from './workflow-commands.ts';

/**
 * Text from a dataset or an agent, made safe for a line that is printed or a test title: as `writeOutControls` does, and
 * it can be no command to CI.
 */
export function toVisible(text: string, maxLength = 200): string {
  return disarmCommands(writeOutControls(text, maxLength));
}

/**
 * The same for a file that CI does not read commands from, or a part of what is disarmed as a whole: control, format and
 * line-break characters are written out as escapes, and long text is cut after `maxLength` characters.
 */
export function writeOutControls(text: string, maxLength = 200): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}...` : text;
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, writeOut);
}

/** The same for a text of several lines, which stay lines but no commands to CI; cut after 2,000 characters. */
export function toVisibleLines(text: string): string {
  const lines = text.slice(0, 2000).split('\n');
  return disarmCommands(lines.map((line) => writeOutControls(line, 2000)).join('\n'));
}

function writeOut(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
