// The SDK of the revisions of 2025. Arguments: address, key or "".
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [address, key] = process.argv.slice(2);
const client = new Client({ name: 'test', version: '1.0.0' });
const headers = key ? { Authorization: `Bearer ${key}` } : {};
const transport = new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } });
await client.connect(transport);
await client.ping();
const said = { version: transport.protocolVersion, session: transport.sessionId ?? null };
said.instructions = client.getInstructions();
said.tools = client.getServerCapabilities().tools ? (await client.listTools()).tools.map((tool) => tool.name) : [];
said.resources = (await client.listResources()).resources.map((resource) => resource.uri);
if (said.tools.length > 0) {
  said.found = (await client.callTool({ name: 'search_bundles', arguments: { query: 'notes' } })).structuredContent;
  said.file = (await client.callTool({ name: 'read_file', arguments: { bundle: 'acme/notes', path: 'SKILL.md' } })).content;
} else {
  said.text = (await client.readResource({ uri: said.resources[0] })).contents[0].text;
}
await client.close();
console.log(JSON.stringify(said));
