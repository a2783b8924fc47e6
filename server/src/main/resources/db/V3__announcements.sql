-- What committed transactions changed of what nodes keep in memory, for the nodes that were not told of it at once:
-- each looks here twice a second. Rows are only inserted, and deleted after a minute; SQLite, which has one node, has none.
-- xact: the transaction. Its number says by a snapshot whether a node has seen the row; time and sequences would not, as
-- transactions commit in another order than they begin.
CREATE TABLE announcement (
    xact   ${transaction},
    change TEXT NOT NULL
);
CREATE INDEX announcement_by_transaction ON announcement (xact);
