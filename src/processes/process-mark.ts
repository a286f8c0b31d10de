/*
 * What a child starts may leave its process group, but not easily its environment: each child gets a variable with a
 * value of its own, which all that comes of it inherits. Jenkins and other CI servers find left processes this way.
 */

/** Not EVAL_...: a viva that a command starts would refuse a setting that it does not know. */
export const MARK_NAME = 'VIVA_PROCESS';

/** Begins every mark of this process, so that the guard can look for all of them. */
export const MARKS_OF_THIS_PROCESS = `${crypto.randomUUID()}.`;

let marks = 0;

/** The end is part of it: the mark 1 must not be found in the mark 10. */
export function createMark(): string {
  return `${MARKS_OF_THIS_PROCESS}${++marks}.`;
}
