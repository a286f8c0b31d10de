/** Vite gives the text of a file imported with ?raw, and re-runs the importer when the file changes. */
declare module '*?raw' {
  const text: string;
  export default text;
}
