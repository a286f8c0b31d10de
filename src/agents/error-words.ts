import { isFields } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';

/** What an error or the body of a refused request says, however deep. */
export type ErrorWords = Readonly<{ texts: readonly string[]; codes: readonly string[] }>;

/** The fields in which servers, gateways and SDKs put the words of an error, or what holds them. */
const HOLDERS = [
  'apiMessage',
  'message',
  'Message',
  'msg',
  'detail',
  'details',
  'error',
  'errors',
  'error_msg',
  'error_message',
  'status_msg',
  'description',
  'innererror',
  'metadata',
  'raw',
  'header',
  'base_resp',
  'data',
  'responseBody',
];

const CODES = ['code', 'type', 'status', 'reason', 'error_code', 'err_code'];

/** Deeper words would be those of a request that a server repeats. */
const MAX_DEPTH = 6;

/**
 * The words and codes of an error in any form: {"error": {...}}, {"detail": [...]}, a list, a
 * provider's JSON inside the text of its router. What repeats the request is left out.
 */
export function readErrorWords(error: unknown): ErrorWords {
  const texts = new Set<string>();
  const codes = new Set<string>();
  const read = (part: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || texts.size >= 20) return;
    if (typeof part === 'string') {
      const inner = /^\s*[[{]/.test(part) ? tryOrUndefined(() => JSON.parse(part)) : undefined;
      if (inner !== undefined) read(inner, depth + 1);
      else if (part.trim() !== '') texts.add(part.slice(0, 10_000));
    } else if (Array.isArray(part)) for (const each of part.slice(0, 20)) read(each, depth + 1);
    else if (isFields(part)) {
      for (const name of CODES) if (typeof part[name] === 'string') codes.add(part[name]);
      for (const name of HOLDERS) read(part[name], depth + 1);
    }
  };
  read(error, 0);
  return { texts: [...texts], codes: [...codes] };
}

/** The words without the request that validators repeat: a question may name an account or a filter. */
export function withoutEcho(text: string): string {
  return text.replace(/(?:["']input["']\s*:|\binput_value=).*/gs, '');
}
