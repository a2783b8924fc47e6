-- Whether a file's owner may execute it: 1 or 0; NULL: not known, of what was stored before this was kept. What is not
-- known is never compared.
ALTER TABLE asset ADD COLUMN executable INTEGER;
ALTER TABLE working_asset ADD COLUMN executable INTEGER;
