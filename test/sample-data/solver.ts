/** Works out an answer from the text of a question and of its attachment ("" if there is none). */
export type Solver = (question: string, file: string) => string;
