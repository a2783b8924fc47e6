package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Tx;
import java.util.List;

/// The rows of skills of listed bundles.
final class HubSkillRows {
    /// A skill.
    ///
    /// @param keywords one per line
    /// @param tools the tools that it asks for, one per line
    /// @param path the path of its SKILL.md
    /// @param files the number of its files
    record Row(String name, String description, String keywords, String tools, String path, int files) {}

    /// A skill and the repository of its bundle.
    record Found(
            long repositoryId,
            String name,
            String description,
            String keywords,
            String tools,
            String path,
            int files) {}

    private HubSkillRows() {}

    /// Replaces the skills of a bundle.
    static void put(Tx tx, long repositoryId, List<Row> skills) {
        tx.later("DELETE FROM hub_skill WHERE repository_id = :id", "id", repositoryId);
        tx.laterEach("""
                INSERT INTO hub_skill (repository_id, name, description, keywords, tools, path, files)
                VALUES (:id, :name, :description, :keywords, :tools, :path, :files)
                """, skills, "id", repositoryId);
    }

    /// Returns the skills of some listed bundles, by name.
    static List<Found> of(Tx tx, List<Long> repositories) {
        return tx.list("""
                        SELECT repository_id, name, description, keywords, tools, path, files FROM hub_skill
                        WHERE repository_id IN (<ids>) ORDER BY repository_id, name
                        """, Found.class, "ids", repositories);
    }

    /// Returns the repositories whose bundle has a skill with exactly the name in the search.
    static HubRows.Among named(SearchQuery search) {
        return new HubRows.Among(
                "SELECT repository_id FROM hub_skill WHERE name IN (:skill, :skills) AND :within = ''",
                List.of(
                        "skill", search.slugs().getFirst(),
                        "skills", search.slugs().getLast(),
                        "within", search.namespace()),
                false);
    }
}
