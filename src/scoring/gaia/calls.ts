import { parsePythonFloat } from './python.ts';
import { type Sought, seek } from './seek.ts';
import { readStringLiteral } from './string-literal.ts';

export type Submitted = Readonly<{ start: number; end: number; content: string }>;

/** A hostile text may consist of calls. */
const MOST_CALLS = 40;

/** The answers that the calls of a text submit, in the notations of code, ReAct and tags. */
export function submittedAnswers(text: string): readonly Submitted[] {
  return [...codeCalls(text), ...reactCalls(text), ...parameters(text)];
}

/**
 * Calls that submit an answer, such as `submit("...")` and `final_answer(42)`, up to their
 * argument.
 */
const SUBMIT_CALL: Sought = {
  sign: /\(/,
  pattern:
    /(?<![\w.])(?:submit|submit_?(?:final_?)?answer|final_?answer)\s{0,4}\(\s{0,8}(?:(?:final_)?answer\s{0,4}[=:]\s{0,4})?/gi,
};

// Only a literal tells the answer; a variable or an expression does not.
function* codeCalls(text: string): Generator<Submitted> {
  for (const { 0: call, index } of [...seek(text, SUBMIT_CALL)].slice(-MOST_CALLS)) {
    const start = index + call.length;
    const literal = readStringLiteral(text, start);
    const number = /^([^()\n]{1,100})\)/.exec(text.slice(start, start + 102))?.[1];
    if (literal !== null) {
      const { value, end } = literal;
      const isWhole = /^\s{0,8},?\s{0,8}\)/.test(text.slice(end, end + 20));
      if (isWhole) yield { start: index, end: end + 1, content: value };
    } else if (number !== undefined && parsePythonFloat(number) !== null)
      yield { start: index, end: start + number.length + 1, content: number };
  }
}

const SUBMIT_NAME = 'submit|submit[ _]?(?:final[ _]?)?answer|final[ _]?answer|finish';
/** "Action: Finish[1969]" of ReAct. */
const FINISH: Sought = {
  sign: /Finish\[/,
  pattern: /(?<=(?:^|[\n\r:])[ \t*`]{0,6})Finish\[([^[\]\n]{1,200})\]/g,
};
/** "Action: Final Answer" with "Action Input: 1969" on the next line. */
const ACTION: Sought = {
  sign: /Action Input/i,
  pattern: new RegExp(
    String.raw`(?<=(?:^|[\n\r])[ \t*]{0,6})Action(?: ?\d{1,3})?[*]{0,2}:[ *\x60]{0,4}(?:${SUBMIT_NAME})[\x60]?[ \t]{0,4}\n{1,2}[ \t*]{0,6}Action Input(?: ?\d{1,3})?[*]{0,2}:[*]{0,2}[ \t]{0,4}([^\n]{1,500})`,
    'giu',
  ),
};

function* reactCalls(text: string): Generator<Submitted> {
  for (const form of [FINISH, ACTION])
    for (const { 0: call, 1: content = '', index } of [...seek(text, form)].slice(-MOST_CALLS))
      yield { start: index, end: index + call.length, content };
}

/** `<function=submit>`, `<invoke name="final_answer">` and their parameters. */
const CALL_TAG: Sought = {
  sign: /</,
  pattern:
    /<(function|invoke|parameter)(?:=| name=)["']?([\w.-]{1,40})["']?>|<\/(function|invoke|parameter)>/g,
};
const SUBMIT_FUNCTION = new RegExp(`^(?:${SUBMIT_NAME})$`, 'i');
const ANSWER_PARAMETER = /^(?:final_?)?answer$/i;

// A parameter that is named after the answer, or any one of a call that submits.
function* parameters(text: string): Generator<Submitted> {
  let isSubmit = false;
  let open: Readonly<{ start: number; inner: number }> | null = null;
  for (const { 0: tag, 1: kind, 2: name = '', 3: closed, index } of seek(text, CALL_TAG)) {
    const end = index + tag.length;
    if (kind === 'parameter')
      open = isSubmit || ANSWER_PARAMETER.test(name) ? { start: index, inner: end } : null;
    else if (closed === 'parameter' && open !== null) {
      yield { start: open.start, end, content: text.slice(open.inner, index).trim() };
      open = null;
    } else if (closed !== 'parameter') isSubmit = SUBMIT_FUNCTION.test(name);
  }
}

const OPEN_TAG: Sought = {
  sign: /</,
  pattern:
    /<(tool_calls?|function_calls?|tool_use|function(?==))(?:=[\w.-]{1,40})?>\s{0,20}[{[<\w]/g,
};
const CLOSING_TAG = /<\/[\w:]{1,30}>/g;
const ANY_ACTION: Sought = {
  sign: /Action/,
  pattern: /(?<=(?:^|[\n\r])[ \t*]{0,6})Action(?: ?\d{1,3})?\*{0,2}:[^\n]{0,500}/g,
};
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
  const open = [...seek(text, OPEN_TAG)].at(-1);
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
  const last = [...seek(text, ANY_ACTION)].at(-1);
  if (last === undefined) return false;
  const { 0: action, index } = last;
  const rest = text.slice(index + action.length).trim();
  if (rest === '') return /(?:^|\n)[ \t*]{0,6}Thought/.test(text.slice(0, index));
  if (/^\*{0,2}Action Input\b/.test(rest)) return !/\nObservation/.test(rest);
  return isCall(rest);
}
