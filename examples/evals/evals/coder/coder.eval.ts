import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineEval } from 'viva';
import { mend } from '../../src/coder.ts';

await defineEval('coder', {
  data: [
    { id: 'two', input: 'A parcel of exactly 2 kg must cost 9.', attachments: ['postage.js'] },
  ],
  agent: (_question, { workdir }) => mend(workdir),
  cache: false,
  score: async ({ workdir }) => {
    // Attachments have neutral names there: the original one could tell what is wrong.
    const { postage } = await import(pathToFileURL(join(workdir, 'attachment.js')).href);
    return postage(2) === 9 && postage(1.9) === 5;
  },
});
