import { makeDice } from './dice.ts';
import { makeFerryLog } from './ferry-log.ts';
import { makeMinutes } from './minutes.ts';
import { makeMorse } from './morse.ts';
import { makeReadingCircle } from './reading-circle.ts';
import { makeTiles } from './tiles.ts';
import { makeTournament } from './tournament.ts';
import { makeTramArchive } from './tram-archive.ts';
import { makeZincSite } from './zinc-site.ts';

/** The attachments of the GAIA sample that no editor of texts can write: their bytes by the name of the file. */
export const MADE_ATTACHMENTS: Readonly<Record<string, () => Buffer>> = {
  '753be007-3c51-4128-bb6d-1a0da6dce275.pdf': makeFerryLog,
  '9dca7ab2-3333-4447-a8f4-8dae187746c4.docx': makeMinutes,
  'b67e8f1d-d2b5-4653-8b86-aaecd34d4828.xlsx': makeTournament,
  '3ed0e156-905f-412b-b70e-3c3052f3b11b.pptx': makeReadingCircle,
  '362120f4-cbaa-4ef1-bfd5-eadad9f24f1f.zip': makeTramArchive,
  '65dada67-0429-4f58-89ad-4659e8b45a53.png': makeTiles,
  '76daaa7e-0650-47b9-998d-0cd19959c5bb.jpg': makeDice,
  '7c92e9b5-84cc-4534-a123-6212a8f8ac4a.wav': makeMorse,
  'ee35e9a5-aca5-418b-9002-d61f0bf10d4b.pdb': makeZincSite,
};
