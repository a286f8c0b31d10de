import { checkVersions } from './plugin.ts';

// Imported first, so that an older Node says this and not which name it lacks. It links every import before that: names
// that it does not have, such as `findPackageJSON`, are taken of a default import.
checkVersions(process.versions.node);
