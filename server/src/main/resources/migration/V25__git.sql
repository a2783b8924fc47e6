-- Commits and trees are derived into repositories on the disks of nodes, and no longer rows.
DROP TABLE git_object;
DROP TABLE git_commit;
