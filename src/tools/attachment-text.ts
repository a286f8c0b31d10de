import { openAttachment } from './attachment-file.ts';
import { type DocumentText, readDocument } from './readers/index.ts';
import type { ToolContext } from './tool.ts';

/** What has been read for a question: a model that pages through a file has it parsed once. */
const READ = new WeakMap<ToolContext, Map<string, Promise<DocumentText>>>();

/** The text of an attachment, whatever kind of document it is. Throws a sentence for the model when it has none. */
export async function readAttachmentText(name: string, context: ToolContext): Promise<DocumentText> {
  const texts = READ.get(context) ?? new Map<string, Promise<DocumentText>>();
  READ.set(context, texts);
  const known = texts.get(name);
  if (known !== undefined) return known;
  const reading = openAttachment(name, context).then(({ bytes }) => readDocument(bytes, name, context));
  texts.set(name, reading);
  return reading;
}
