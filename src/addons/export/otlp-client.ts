import { readVersion } from '../../package.ts';
import { type Retries, readPassing, retryResponse } from '../../processes/retry.ts';
import { field, textField } from '../../words/fields.ts';
import { redactMessage } from '../../words/secrets.ts';
import { cut, tryOrUndefined } from '../../words/show.ts';
import { causesOf, messageOf } from '../../words/thrown.ts';

/** Where spans go. Headers may contain keys, which no message shows. */
export type Collector = Readonly<{ url: URL; headers: Readonly<Record<string, string>> }>;

/**
 * How many spans were sent and how many of them the collector refused, with what it says of them.
 */
export type Receipt = Readonly<{
  sent: number;
  rejected: number;
  remarks: readonly string[];
}>;

/**
 * Sends spans as JSON over OTLP/HTTP, in requests of about 1 MB. A busy collector is asked again,
 * as OTLP says. Throws if it does not take a request.
 */
export async function sendSpans(spans: Iterable<object>, collector: Collector): Promise<Receipt> {
  let [sent, rejected] = [0, 0];
  const remarks: string[] = [];
  for (const batch of toBatches(spans)) {
    const before = sent === 0 ? '' : ` It took ${sent} spans before.`;
    const reply = await post(toRequest(batch), collector).catch((cause: unknown) => {
      throw new Error(
        hideKeys(
          `${nameCollector(collector)} did not take the spans: ${messageOf(causesOf(cause).at(-1))}.${before}`,
          collector,
        ),
      );
    });
    const partial = field(reply, 'partialSuccess');
    const remark = textField(partial, 'errorMessage');
    if (remark !== null) remarks.push(hideKeys(remark, collector));
    sent += batch.length;
    // Protobuf's JSON writes such a number as a text.
    rejected += Number(field(partial, 'rejectedSpans') ?? 0) || 0;
  }
  return { sent, rejected, remarks };
}

const MOST_CHARACTERS = 1_000_000;

function* toBatches(spans: Iterable<object>): Generator<readonly object[], void> {
  let batch: object[] = [];
  let length = 0;
  for (const span of spans) {
    const size = JSON.stringify(span).length;
    if (batch.length > 0 && length + size > MOST_CHARACTERS) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(span);
    length += size;
  }
  if (batch.length > 0) yield batch;
}

/** An ExportTraceServiceRequest. */
function toRequest(spans: readonly object[]): string {
  const version = readVersion();
  const named = { 'service.name': 'viva', 'service.version': version };
  const attributes = Object.entries(named).map(([key, stringValue]) => ({
    key,
    value: { stringValue },
  }));
  const scopeSpans = [{ scope: { name: 'viva', version }, spans }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] });
}

/** Statuses after which OTLP asks again. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const RETRIES: Retries = { times: 3, pauseMs: 1000, longestMs: 60_000 };

/** The reply to a request: JSON, or undefined if it is something else. */
async function post(body: string, { url, headers }: Collector): Promise<unknown> {
  const send = () =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      // A redirect would send the headers to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
  const toPassing = (response: Response) =>
    BUSY.has(response.status) ? readPassing(response) : null;
  const response = await retryResponse(RETRIES, send, null, toPassing);
  const reply = await response.text();
  const json = tryOrUndefined((): unknown => JSON.parse(reply));
  if (response.ok) return json;
  const problem = cut(textField(json, 'message') ?? reply, 300);
  throw new Error(`HTTP ${response.status} ${problem}`.trim());
}

/** The address without its query, which may contain a key. */
export function nameCollector({ url }: Collector): string {
  return `${url.origin}${url.pathname}`;
}

/** Replaces values of headers, also without the scheme before them. */
function hideKeys(text: string, { headers }: Collector): string {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^\w+ +/, '')]);
  const keys = values.filter((value) => value.length >= 8);
  return redactMessage(text, keys);
}
