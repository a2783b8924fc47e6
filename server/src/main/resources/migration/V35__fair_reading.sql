-- Versions that are to be read are found bundle by bundle, so that many of one bundle do not delay the others.
CREATE INDEX version_to_read ON version (risk_rules, bundle_id, id);
DROP INDEX version_by_rules;
