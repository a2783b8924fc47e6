// A client made by openapi-typescript and openapi-fetch: push, resolve, pull, and an error. Compiled, then run by Node.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[] };

const [, , baseUrl, key] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const path = { namespace: "generated", bundle: "typescript" };

const pushed = await client.POST("/v1/namespaces/{namespace}/bundles/{bundle}:push", {
  params: { path },
  body: {
    version: "1.0.0",
    name: "TypeScript",
    visibility: "private",
    manifest: [{ logicalPath: "SKILL.md", assetType: "skill", contentText: "# Hello\n" }],
  },
});
const resolved = await client.GET("/v1/namespaces/{namespace}/bundles/{bundle}:resolve", {
  params: { path, query: { version: "^1.0.0" } },
});
const pulled = await client.GET("/v1/namespaces/{namespace}/bundles/{bundle}/versions/{version}:pull", {
  params: { path: { ...path, version: resolved.data!.version } },
});
const missing = await client.GET("/v1/namespaces/{namespace}/bundles/{bundle}", {
  params: { path: { ...path, bundle: "missing" } },
});
console.log(
  [
    pushed.response.status,
    pushed.data?.version,
    resolved.data?.resolvedBy,
    pulled.data?.manifest.map((asset) => asset.contentText).join(""),
    missing.response.status,
    missing.error?.code,
  ].join("|"),
);
