import { findUnsupported } from './versions.ts';

// Imported first, so that an older Node prints this message. Node links all imports before that, so
// names that an older Node does not have, such as `enableCompileCache`, must come from a default
// import.
const problem = findUnsupported(process.versions.node);
if (problem !== null) throw new Error(problem);
