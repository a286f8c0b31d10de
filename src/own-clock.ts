/*
 * Taken when this file is loaded, which is before any code of the user's: a module that freezes the date for its agent,
 * or puts other timers in place, changes no time, no latency and no deadline of ours.
 */
const OwnDate = Date;

/** The time of day as in rows, ISO 8601 in UTC. */
export function readTime(): string {
  return new OwnDate().toISOString();
}

/** The time of day in milliseconds since 1970. */
export function readTimeMs(): number {
  return new OwnDate().getTime();
}

/** Milliseconds since some moment. */
export const readClock: () => number = performance.now.bind(performance);

export const startTimer: typeof setTimeout = setTimeout;
export const stopTimer: typeof clearTimeout = clearTimeout;
