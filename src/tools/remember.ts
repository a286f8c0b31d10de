import type { ToolContext } from './tool.ts';

/**
 * A function that does its work once for a question and a file, however often a model asks; what failed is tried again.
 * A model that pages through a file has it parsed, or transcribed and paid for, once.
 */
export function remember<T>(work: (name: string, context: ToolContext) => Promise<T>) {
  const kept = new WeakMap<ToolContext, Map<string, Promise<T>>>();
  return (name: string, context: ToolContext): Promise<T> => {
    const files = kept.get(context) ?? new Map<string, Promise<T>>();
    kept.set(context, files);
    const doing = files.get(name) ?? work(name, context);
    files.set(name, doing);
    doing.catch(() => files.delete(name));
    return doing;
  };
}
