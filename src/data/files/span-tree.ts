import type { OtelSpan } from './genai-attributes.ts';

/** The outermost of the spans that count: around a span, or it itself; by the ids of all spans. */
export function findOutermost(
  spans: readonly OtelSpan[],
  counts: (span: OtelSpan) => boolean,
): ReadonlyMap<string, OtelSpan | null> {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const found = new Map<string, OtelSpan | null>();
  for (const span of spans) {
    // Each span is walked once, and a chain of parents may be longer than the stack.
    const path: OtelSpan[] = [];
    const onPath = new Set<OtelSpan>();
    let at: OtelSpan | undefined = byId.get(span.id);
    while (at !== undefined && !found.has(at.id) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = byId.get(at.parent ?? '');
    }
    let outermost = (at && found.get(at.id)) ?? null;
    for (const each of path.toReversed()) {
      outermost ??= counts(each) ? each : null;
      found.set(each.id, outermost);
    }
  }
  return found;
}

/** The ids of the spans around any of `inner`. */
export function listAround(
  spans: readonly OtelSpan[],
  inner: readonly OtelSpan[],
): ReadonlySet<string> {
  const parents = new Map(spans.map(({ id, parent }) => [id, parent]));
  const around = new Set<string>();
  for (const { parent } of inner)
    for (let id = parent; id !== null && !around.has(id); id = parents.get(id) ?? null)
      around.add(id);
  return around;
}
