import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** A message of the protocol, its reply mended. Throws for what is no message and no reply. */
export function toMessage(value: unknown): JSONRPCMessage {
  return mendReply(value) ?? JSONRPCMessageSchema.parse(value);
}

/**
 * The error that stands for a reply without a usable result or error, whose call would be waited for until its time is
 * over; null for all that is none.
 */
export function mendReply(value: unknown): JSONRPCMessage | null {
  if (!isReply(value) || JSONRPCMessageSchema.safeParse(value).success) return null;
  const message = 'its reply holds no result and no error as the protocol says';
  return { jsonrpc: '2.0', id: value.id, error: { code: ErrorCode.InternalError, message } };
}

/** What answers a request: it has its number, and asks for nothing itself. A log may be in JSON too. */
function isReply(value: unknown): value is { readonly id: string | number } {
  if (typeof value !== 'object' || value === null || 'method' in value) return false;
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0' || !('id' in value)) return false;
  return typeof value.id === 'number' || typeof value.id === 'string';
}
