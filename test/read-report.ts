import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const BLOCK = /(<script type="application\/octet-stream" id="(?!image-)[\w-]+">)([^<]*)</g;

/** A report with its data as JSON in place of the compressed blocks. */
export function readReport(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(BLOCK, (_, open: string, text: string) => {
    return `${open}${gunzipSync(Buffer.from(text, 'base64')).toString('utf8')}<`;
  });
}
