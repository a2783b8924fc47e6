// The SDK of both eras. Arguments: address, mode of the negotiation, key or "".
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';

const [address, mode, key] = process.argv.slice(2);
const client = new Client(
  { name: 'test', version: '1.0.0' },
  { versionNegotiation: { mode: mode.startsWith('20') ? { pin: mode } : mode } },
);
const headers = key ? { Authorization: `Bearer ${key}` } : {};
await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
const all = z.looseObject({});
const said = { server: client.getServerVersion(), capabilities: client.getServerCapabilities() };
said.tools = (await client.listTools()).tools.map((tool) => tool.name);
said.resources = (await client.listResources()).resources.map((resource) => resource.uri);
said.templates = (await client.listResourceTemplates()).resourceTemplates.length;
said.skills = (await client.request({ method: 'skills/list', params: {} }, all)).skills;
if (said.tools.length > 0) {
  said.found = (await client.callTool({ name: 'search_bundles', arguments: { query: 'notes' } })).structuredContent;
  said.refused = await client.callTool({ name: 'get_bundle', arguments: { bundle: 'acme/none' } });
  try {
    await client.callTool({ name: 'no_such_tool', arguments: {} });
  } catch (e) {
    said.unknown = String(e.message);
  }
} else {
  const uri = said.resources[0];
  said.text = (await client.readResource({ uri })).contents[0].text;
  said.entry = (await client.request({ method: 'skills/get', params: { uri } }, all)).skill;
  said.folder = (
    await client.request({ method: 'resources/directory/read', params: { uri: uri.replace('/SKILL.md', '') } }, all)
  ).resources;
}
await client.close();
console.log(JSON.stringify(said));
