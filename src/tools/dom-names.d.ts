/* Names of the DOM, whose types this project leaves out, in the declarations of the MCP SDK and of playwright-core. */
type HeadersInit = NonNullable<RequestInit['headers']>;
type Node = object;
type HTMLElement = { getAttribute(name: string): string | null };
type SVGElement = HTMLElement;
type HTMLElementTagNameMap = { readonly a: HTMLElement };
