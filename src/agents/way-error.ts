import type { AgentError, ErrorKind } from '../types.ts';
import { kindOfCode, MAX_CAUSES, messageOf, toKind } from './error-kind.ts';
import { createModelError } from './model-error.ts';
import { countField, field, textField } from './outside-value.ts';

/**
 * What code of the user's threw, when it or a cause of it is a failure of the way to a provider, as SDKs, fetch and
 * sockets throw it; null for a fault of the code itself. Stricter than `toModelError`, as such code does other things too.
 */
export function toWayError(error: unknown): AgentError | null {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth++) {
    const status = httpStatusOf(current);
    const kind = status === null ? kindWithoutStatus(current) : toKind(current, status);
    const requestId = textField(current, 'requestID');
    if (kind !== null && WAY_KINDS.has(kind)) return createModelError(kind, messageOf(error), { status, requestId });
    current = field(current, 'cause');
  }
  return null;
}

/** Failures of the way to a provider, and not of who took it: the next run asks again. */
const WAY_KINDS: ReadonlySet<ErrorKind> = new Set(['rate_limit', 'quota', 'auth', 'server', 'network']);

/** A child process that failed has a status too: its exit code. */
function httpStatusOf(error: object): number | null {
  const status = countField(error, 'status') || countField(error, 'statusCode');
  return status >= 400 && status < 600 ? status : null;
}

/** Providers write their codes in small letters; those in capitals are Node's, for all that can go wrong on a machine. */
function kindWithoutStatus(error: object): ErrorKind | null {
  const codes = [textField(error, 'code'), textField(error, 'type')].filter((code) => code !== null);
  if (codes.some((code) => SOCKET_CODES.test(code)) && !/^spawn/.test(textField(error, 'syscall') ?? ''))
    return 'network';
  if (/^APIConnection/.test(error.constructor?.name ?? '')) return 'network';
  return kindOfCode(codes.filter((code) => /^[a-z_]+$/.test(code)).join(' '));
}

const SOCKET_CODES =
  /^(?:UND_ERR_\w+|ECONN(?:RESET|REFUSED|ABORTED)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN)|ENETRESET)$/;
