import { plural } from '../../text/plural.ts';
import { leadsOutside, listMembers } from './zip.ts';

/** What a ZIP archive holds: a line for each file, with the name by which it is read. */
export function describeZip(bytes: Uint8Array, name: string): string {
  const members = listMembers(bytes);
  const lines = members.map((member) => {
    const refused = leadsOutside(member.name) ? ' (not read: its name leads out of the archive)' : '';
    return `${JSON.stringify(`${name}/${member.name}`)}, ${plural(member.size, 'byte')}${refused}`;
  });
  return [`${plural(members.length, 'file')}. Each can be read by its name here:`, ...lines].join('\n');
}
