/**
 * Checks a submission against what the leaderboard demands: JSON lines with `task_id` and `model_answer` as text,
 * `reasoning_trace` text if there, each task once, and all of the expected tasks. Returns what is wrong.
 */
export function checkSubmission(text: string, expected: readonly string[]): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const rows = lines.map((line, index) => parseRow(line, index + 1));
  const problems = rows.flatMap((row) => (typeof row === 'string' ? [row] : []));
  const ids = rows.flatMap((row) => (typeof row === 'string' ? [] : [row.id]));
  const [present, wanted] = [new Set(ids), new Set(expected)];
  const missing = expected.filter((id) => !present.has(id));
  const unknown = ids.filter((id) => !wanted.has(id));
  return [
    ...problems,
    ...repeated(ids).map((id) => `task ${JSON.stringify(id)} is there more than once`),
    ...missing.map((id) => `task ${JSON.stringify(id)} is missing`),
    ...unknown.map((id) => `task ${JSON.stringify(id)} is not of the dataset`),
  ];
}

function repeated(ids: readonly string[]): readonly string[] {
  const counts = Map.groupBy(ids, (id) => id);
  return [...counts].flatMap(([id, { length }]) => (length > 1 ? [id] : []));
}

function parseRow(line: string, number: number): { readonly id: string } | string {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return `line ${number} is not JSON`;
  }
  if (typeof row !== 'object' || row === null) return `line ${number} is not a JSON object`;
  const { task_id, model_answer, reasoning_trace = '' }: Readonly<Record<string, unknown>> = { ...row };
  if (typeof task_id !== 'string' || task_id === '') return `line ${number} has no task_id`;
  if (typeof model_answer !== 'string') return `line ${number} has no model_answer`;
  return typeof reasoning_trace === 'string' ? { id: task_id } : `line ${number} has a reasoning_trace that is no text`;
}
