/** Why a file cannot be read, in words for a model; it follows the file's name: "is encrypted ...". */
export class ReadError extends Error {
  override readonly name = 'ReadError';
}
