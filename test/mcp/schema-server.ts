import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/*
 * A server of the SDK over stdio, whose tools have the input schemas of its first argument, by name.
 * Each tool returns its name and arguments.
 */

const schemas: Readonly<Record<string, unknown>> = JSON.parse(process.argv[2] ?? '{}');
const tools = Object.entries(schemas).map(([name, inputSchema]) => ({ name, inputSchema }));

const server = new Server({ name: 'schemas', version: '1' }, { capabilities: { tools: {} } });
// The SDK's types allow good schemas alone.
server.setRequestHandler(ListToolsRequestSchema, () => JSON.parse(JSON.stringify({ tools })));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: 'text', text: JSON.stringify([params.name, params.arguments]) }],
}));
await server.connect(new StdioServerTransport());
