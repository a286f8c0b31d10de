import { ProjectFiles, withoutWildcards } from '../agents/project-files.ts';
import { findNamedFiles, findStartedModules } from '../agents/source-files.ts';
import { isPartOfKey } from './source-reads.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What the line of `command:` names as the shell reads it: files, also behind `cd`, in variables and by
 * patterns, and the names of variables.
 */
export function readCommandLine(line: string, root: string, variables: Variables) {
  const names = [...line.matchAll(VARIABLE)].map(([, name = '']) => name);
  const whole = line.replaceAll(VARIABLE, (text, name) => variables[name] ?? text);
  const folders = [...whole.matchAll(FOLDER)].map(([, , folder = '']) => folder);
  const places = [
    root,
    ...folders.flatMap((folder) => new ProjectFiles(root, root).resolve(folder)),
  ];
  const named = places.flatMap((place) => [
    ...findNamedFiles(whole, place),
    ...findStartedModules(whole, place),
  ]);
  /** `prompts/*.md` */
  const patterns = whole.split(/[\s"'<>|;&()]/).filter((word) => /[*?]/.test(word));
  const matched = places.flatMap((place) => {
    const files = new ProjectFiles(place, root);
    return patterns.flatMap((pattern) => files.match(withoutWildcards(pattern), 'files') ?? []);
  });
  return {
    files: [...new Set([...named, ...matched])],
    variables: [...new Set(names)].filter((name) => isPartOfKey(name, variables[name])),
  };
}

/** `$NAME`, `${NAME}` */
const VARIABLE = /\$\{?([A-Za-z_]\w{0,100})\}?/g;

/** `cd "folder" &&` */
const FOLDER = /(?:^|[;&|(]\s{0,9})cd\s{1,9}(["']?)([^"'\s;&|()]{1,300})\1/g;
