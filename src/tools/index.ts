import type { Question } from '../types.ts';
import { calculate } from './calculate.ts';
import { readAttachment } from './read-attachment.ts';
import type { Tool } from './tool.ts';

/** What agents may use. To add a tool: its file, and a line here. */
const TOOLS: readonly Tool[] = [calculate, readAttachment];

/** The tools that are of use for a question: none for attachments where there is none. */
export function toolsFor({ attachments }: Question): readonly Tool[] {
  return attachments.length === 0 ? TOOLS.filter((tool) => tool !== readAttachment) : TOOLS;
}

/** What a model is told of all tools: answers depend on it. */
export function describeTools(): readonly unknown[] {
  return TOOLS.map(({ name, description, schema }) => [name, description, schema]);
}
