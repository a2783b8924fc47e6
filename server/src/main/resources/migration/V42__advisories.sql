-- The recalled versions of a namespace are listed by its bundles.
CREATE INDEX version_recalled_in ON version (bundle_id) WHERE recalled_at IS NOT NULL;
