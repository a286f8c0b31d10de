let ends = false;

/**
 * Ends this worker at once when Vitest's main process is gone. Nobody could be told a result any more, calls would go on
 * costing money, and what their ends look like from here would be kept as failures of the agent. What was answered is
 * on disk: every write is synchronous.
 */
export function endWithMain(): void {
  if (ends) return;
  ends = true;
  // In a worker Vitest turns process.exit() into an error.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
