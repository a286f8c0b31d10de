/** One server of an `mcpServers` file, its variables filled in. */
export type McpServer = {
  readonly name: string;
  /** What no message and no result may show: keys in its environment, arguments, headers and address. */
  readonly secrets: readonly string[];
} & (
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Its whole environment. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
);

/** The servers of a run. It holds keys: it goes to the workers, and into no file. */
export type McpSettings = {
  /** As it was set. */
  readonly file: string;
  readonly servers: readonly McpServer[];
};
