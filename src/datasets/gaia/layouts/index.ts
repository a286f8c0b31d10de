import type { GaiaLayout } from '../draft.ts';
import { official } from './official.ts';
import { plain } from './plain.ts';

/** The layouts in the order in which they are tried. A new one is one file and one line here. */
export const gaiaLayouts: readonly GaiaLayout[] = [official, plain];
