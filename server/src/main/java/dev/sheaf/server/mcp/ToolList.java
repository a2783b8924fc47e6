package dev.sheaf.server.mcp;

import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;

/// The description of the tools for clients and their models.
final class ToolList {
    private ToolList() {}

    /// The list for `tools/list`, in a fixed order.
    static final JsonRpcReplies.Raw ALL = compact("""
            [{"name": "search_bundles", "title": "Search bundles",
              "description": "Finds public bundles of agent skills, agents, tools and prompts in this registry by words. \
            Private bundles are not found; read them by name.",
              "inputSchema": {"type": "object", "additionalProperties": false, "required": ["query"], "properties": {
                "query": {"type": "string", "maxLength": 200, "description": "words, such as: pdf forms"},
                "namespace": {"type": "string", "description": "only bundles of this namespace"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10}}},
              "outputSchema": {"type": "object", "required": ["bundles"], "properties": {
                "bundles": {"type": "array", "items": {"type": "object", "required": ["bundle", "latestVersion"]}}}},
              "annotations": {"readOnlyHint": true, "openWorldHint": false}},
             {"name": "get_bundle", "title": "Show a bundle",
              "description": "Shows a version of a bundle: its description, its skills and its files.",
              "inputSchema": {"type": "object", "additionalProperties": false, "required": ["bundle"], "properties": {
                "bundle": {"type": "string", "description": "namespace/name"},
                "version": {"type": "string", "description": "a version, a tag or a range such as ^1.2; the latest by default"}}},
              "outputSchema": {"type": "object", "required": ["bundle", "version", "skills", "files"], "properties": {
                "bundle": {"type": "string"}, "version": {"type": "string"},
                "skills": {"type": "array", "items": {"type": "object", "required": ["name", "uri"]}},
                "files": {"type": "array", "items": {"type": "object", "required": ["path", "size"]}}}},
              "annotations": {"readOnlyHint": true, "openWorldHint": false}},
             {"name": "list_versions", "title": "List versions",
              "description": "Lists the versions of a bundle, the newest first.",
              "inputSchema": {"type": "object", "additionalProperties": false, "required": ["bundle"], "properties": {
                "bundle": {"type": "string", "description": "namespace/name"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
                "cursor": {"type": "string", "description": "nextCursor of the page before"}}},
              "outputSchema": {"type": "object", "required": ["versions"], "properties": {
                "versions": {"type": "array", "items": {"type": "object", "required": ["version", "state"]}},
                "nextCursor": {"type": "string"}}},
              "annotations": {"readOnlyHint": true, "openWorldHint": false}},
             {"name": "read_file", "title": "Read a file",
              "description": "Reads a file of a bundle, of at most 1 MiB: text as text, everything else in base64.",
              "inputSchema": {"type": "object", "additionalProperties": false, "required": ["bundle", "path"], "properties": {
                "bundle": {"type": "string", "description": "namespace/name"},
                "path": {"type": "string", "description": "as get_bundle lists it, such as SKILL.md"},
                "version": {"type": "string", "description": "a version, a tag or a range such as ^1.2; the latest by default"}}},
              "annotations": {"readOnlyHint": true, "openWorldHint": false}}]
            """);

    private static JsonRpcReplies.Raw compact(String json) {
        byte[] bytes = Json.write(Json.read(json.getBytes(StandardCharsets.UTF_8)));
        return new JsonRpcReplies.Raw(new String(bytes, StandardCharsets.UTF_8));
    }
}
