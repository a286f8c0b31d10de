/*
 * Node has WebAssembly, but its types come with the DOM's, which this project leaves out: here is what
 * quickjs-emscripten's own types and `quickjs-child.ts` name.
 */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {}
  class Instance {}
  type Imports = Record<string, Record<string, unknown>>;
  type Exports = Record<string, unknown>;
}
