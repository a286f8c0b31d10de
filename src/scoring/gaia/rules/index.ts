import { bidirectional } from './bidirectional.ts';
import { contains } from './contains.ts';
import { exact } from './exact.ts';
import { official } from './official.ts';
import type { GaiaRule } from './rule.ts';

/** Every rule by which an answer can be compared. A new rule is one file and one line here. */
export const gaiaRules: readonly GaiaRule[] = [official, exact, contains, bidirectional];
