-- Nodes no longer exchange what they granted: each grants its share of a rate limit, and so only counts the nodes.
DROP TABLE rate_use;
DROP TABLE rate_round;
DROP TABLE rate_fold;

-- The nodes that run. A node writes its row every few seconds, and removes it when it stops.
CREATE ${unlogged}TABLE node (
    id      TEXT PRIMARY KEY,
    seen_at BIGINT NOT NULL
);
