/** For a test of a file that is not below: what it needs, Windows lacks. */
export const ONLY_POSIX = { skip: process.platform === 'win32' };

/** Test files of `src` of which nearly all needs more of the system than Windows has. */
export const POSIX_FILES: Readonly<Record<string, readonly string[]>> = {
  '/bin/sh, process groups and signals': [
    'src/processes/{groups,machine-error,run-shell,stopwatch}.test.ts',
    'src/agents/command.test.ts',
    'src/cli/doctor.test.ts',
    'src/plugin/edits.test.ts',
    'src/tools/mcp/server.test.ts',
    'src/tools/tool.test.ts',
  ],
  'modes of files, named pipes and links that point to nothing': [
    'src/run/workdir.test.ts',
    'src/store/{cache,line-file,run-writer}.test.ts',
    'src/data/files/read-records.test.ts',
  ],
};
