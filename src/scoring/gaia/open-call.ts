const CALL_TAG =
  /<(tool_calls?|function_calls?|tool_use|function(?==))(?:=[\w.-]{1,40})?>\s{0,20}[{[<\w]/g;
const CLOSING_TAG = /<\/[\w:]{1,30}>/g;
const ACTION = /(?<=(?:^|[\n\r])[ \t*]{0,6})Action(?: ?\d{1,3})?\*{0,2}:[^\n]{0,500}/g;
const NAME = /["'](?:name|action|tool|tool_name|function)["']\s{0,8}:\s{0,8}["'][^"'\n]{1,80}["']/;
const ARGUMENTS = /["'](?:arguments|parameters|action_input|tool_input|args)["']\s{0,8}:/;

/**
 * Whether a text ends in the call of a tool, whose result would come next: in tags, as an object of
 * JSON, or as an action of ReAct.
 */
export function endsInCall(text: string): boolean {
  return endsInTags(text) || isCall(text) || endsInAction(text);
}

function endsInTags(text: string): boolean {
  const open = [...text.matchAll(CALL_TAG)].at(-1);
  if (open === undefined) return false;
  const { 1: name = '', index } = open;
  const closing = `</${name}>`;
  const end = text.lastIndexOf(closing);
  return (
    end < index ||
    text
      .slice(end + closing.length)
      .replace(CLOSING_TAG, '')
      .trim() === ''
  );
}

function isCall(text: string): boolean {
  const bare = text
    .trim()
    .replace(/^```\w{0,10}\s{1,9}/, '')
    .replace(/\s{0,9}```$/, '');
  return bare.startsWith('{') && bare.endsWith('}') && NAME.test(bare) && ARGUMENTS.test(bare);
}

function endsInAction(text: string): boolean {
  const last = [...text.matchAll(ACTION)].at(-1);
  if (last === undefined) return false;
  const { 0: action, index } = last;
  const rest = text.slice(index + action.length).trim();
  if (rest === '') return /(?:^|\n)[ \t*]{0,6}Thought/.test(text.slice(0, index));
  if (/^\*{0,2}Action Input\b/.test(rest)) return !/\nObservation/.test(rest);
  return isCall(rest);
}
