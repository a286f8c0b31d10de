/** Works out an answer from a question and its attachment, as text and as bytes (empty if there is none). */
export type Solver = (question: string, file: string, bytes: Buffer) => string;
