-- plugin_files: 1: the archive of the version for agent programs contains derived manifests. 0: it does not, because an older
-- program published the version, and archives never change.
ALTER TABLE version ADD COLUMN plugin_files INTEGER NOT NULL DEFAULT 0;
