-- The MCP servers of a plugin as lists show them, one a line: the name, a tab and what it runs.
ALTER TABLE hub_entry ADD COLUMN servers TEXT NOT NULL DEFAULT '';

-- Nodes read the plugins that are listed already when they start.
UPDATE hub_entry SET facts_of = NULL WHERE listed = 1 AND EXISTS (
    SELECT 1 FROM version v JOIN asset a ON a.version_id = v.id
    WHERE v.bundle_id = hub_entry.bundle_id AND a.path = 'plugin.json');
