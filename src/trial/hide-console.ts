const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const;

let hidden = false;

/**
 * Keeps what agents print through the console out of the output and of Vitest's reports, where records must not be shown:
 * an agent in this process may print its question. Says so once.
 */
export function hideConsole(): void {
  if (hidden) return;
  hidden = true;
  let said = false;
  const hide = () => {
    if (said) return;
    said = true;
    process.stderr.write('What agents print is hidden: it may hold gated records. Set EVAL_SHOW_GATED=1 to show it.\n');
  };
  for (const method of METHODS) console[method] = hide;
}
