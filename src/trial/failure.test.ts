import { expect, test } from 'vitest';
import { toResult } from '../metrics/result.fixture.ts';
import { AgentError } from '../types.ts';
import { hideGated, withoutFrames } from './failure.ts';

test('leaves a wrong answer no stack, so that it is compared with no other', () => {
  const error = new Error('3 is not 4');
  expect(withoutFrames(error, { state: 'incorrect' })).toBe(error);
  expect(error).toMatchObject({ message: '3 is not 4', stack: '' });
});

test('cuts the stack of other failures to what equal ones have in common', () => {
  const [first, second] = [1, 2].map(() => new AgentError('network', 'down'));
  expect(withoutFrames(first, { state: 'errored' })).toMatchObject({ stack: 'AgentError: down' });
  expect(withoutFrames(second, { state: 'errored' })).toMatchObject({ stack: first?.stack });
});

test('passes on what is no error', () => {
  expect(withoutFrames('thrown text', { state: 'errored' })).toBe('thrown text');
});

test('hides the answer of a gated record, stack included', () => {
  const { message, stack } = hideGated(toResult('no_answer'));
  expect(message).toBe('no_answer (empty). Set EVAL_SHOW_GATED=1 to show questions, truths and answers in CI.');
  expect(stack).toBe(`Error: ${message}`);
});
