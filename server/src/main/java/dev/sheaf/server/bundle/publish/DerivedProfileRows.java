package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import java.util.UUID;

/// The rows of the profile parts derived from files.
final class DerivedProfileRows {
    private DerivedProfileRows() {}

    static DerivedProfile find(Tx tx, UUID bundleId) {
        return tx.find(
                        "SELECT name, description, license, keywords FROM said_profile WHERE bundle_id = :bundle",
                        DerivedProfile.class,
                        "bundle",
                        bundleId)
                .orElse(DerivedProfile.NOTHING);
    }

    static void put(Tx tx, UUID bundleId, DerivedProfile said) {
        tx.later("""
                INSERT INTO said_profile (bundle_id, name, description, license, keywords)
                VALUES (:bundle, :name, :description, :license, :keywords)
                ON CONFLICT (bundle_id) DO UPDATE SET name = excluded.name, description = excluded.description,
                    license = excluded.license, keywords = excluded.keywords
                """, said, "bundle", bundleId);
    }
}
