import { writeFileSync } from 'node:fs';
import { MADE_ATTACHMENTS } from './attachments.ts';

/** Run as `node test/sample-data/make/write-attachments.ts` after a change here; the tests compare the committed files. */
const FOLDER = 'evals/gaia/sample/2023/validation';

for (const [name, make] of Object.entries(MADE_ATTACHMENTS)) writeFileSync(`${FOLDER}/${name}`, make());
