import { expect, test } from 'vitest';
import { isAuditRule, parseSemantic } from './audit-names.ts';

test.each(['fuzzy', 'fuzzy:0.9', 'tolerance:0.01', 'any-of', 'semantic:m', 'semantic:org/m:latest@0.75'])(
  '%s is a rule for the audit',
  (name) => {
    expect(isAuditRule(name)).toBe(true);
  },
);

test.each(['', 'official', 'semantic', 'semantic:', 'semantic:m@', 'semantic:m@2', 'semantic:a b', 'fuzy'])(
  '%s is none',
  (name) => {
    expect(isAuditRule(name)).toBe(false);
  },
);

test('the model and the least similarity of the semantic rule', () => {
  expect(parseSemantic('semantic:m:latest')).toEqual({ name: 'semantic:m:latest', model: 'm:latest', least: 0.8 });
  expect(parseSemantic('semantic:m@0.75')).toMatchObject({ model: 'm', least: 0.75 });
});
