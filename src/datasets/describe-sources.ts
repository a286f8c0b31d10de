import { quote } from '../records/show-value.ts';
import type { Field } from './record-fields.ts';

/** Says under which names the fields of records were found: `"ID" (id), "question" or "prompt" (question)`. */
export function describeSources<Role extends string>(
  roles: readonly Role[],
  records: readonly Readonly<Record<Role, Field | null>>[],
): string {
  const parts = roles.flatMap((role) => {
    const names = [...new Set(records.flatMap((fields) => fields[role]?.name ?? []))];
    return names.length === 0 ? [] : [`${names.map(quote).join(' or ')} (${role})`];
  });
  return parts.join(', ');
}
