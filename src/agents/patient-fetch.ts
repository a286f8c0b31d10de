/**
 * Node's fetch without its own limit of 300 s for a reply's headers, and for each pause in its body: a long answer that
 * is not streamed sends nothing for many minutes, and the sample's deadline ends it. Settings of the dispatcher that is
 * in force, such as a proxy, stay.
 */
export const patientFetch: typeof globalThis.fetch = (input, init) => {
  // Where Node's fetch and the package undici look for it too.
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (!isDispatcher(dispatcher)) return fetch(input, init);
  const dispatch: Dispatch = (options, handler) =>
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return fetch(input, Object.assign({}, init, { dispatcher: { dispatch } }));
};

type Dispatch = (options: object, handler: object) => boolean;

function isDispatcher(value: unknown): value is { readonly dispatch: Dispatch } {
  return typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function';
}
