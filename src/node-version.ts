/** The least major version: Node strips the types of the suite's sources itself, and the suite is tested on this one. */
export const WANTED_NODE = 24;

/** Whether a version such as "24.21.0" runs the suite. */
export function isNodeWanted(version: string): boolean {
  return Number.parseInt(version, 10) >= WANTED_NODE;
}
