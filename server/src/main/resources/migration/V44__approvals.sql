-- The review that approved a version; null for those that were not reviewed.
ALTER TABLE version ADD COLUMN review_id TEXT;
UPDATE version SET review_id = (
    SELECT max(r.id) FROM review r JOIN bundle b ON b.repository_id = r.repository_id JOIN manifest m ON m.id = version.manifest_id
    WHERE b.id = version.bundle_id AND r.precedence = version.precedence AND r.state = 'published' AND r.digest = m.digest)
WHERE bundle_id IN (SELECT b.id FROM bundle b JOIN review r ON r.repository_id = b.repository_id WHERE r.state = 'published');

-- of_published: 1 if the review is about a version that was published before, and stays so whatever people decide.
ALTER TABLE review ADD COLUMN of_published INTEGER NOT NULL DEFAULT 0;
