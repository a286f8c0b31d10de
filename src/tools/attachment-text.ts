import { openAttachment } from './attachment-file.ts';
import { readDocument } from './readers/index.ts';
import { remember } from './remember.ts';

/** The text of an attachment, whatever kind of document it is. Throws a sentence for the model when it has none. */
export const readAttachmentText = remember(async (name, context) => {
  const { bytes } = await openAttachment(name, context);
  return readDocument(bytes, name, context);
});
