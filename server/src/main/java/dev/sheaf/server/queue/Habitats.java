package dev.sheaf.server.queue;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.queue.Habitat;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.org.OrganizationRows;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The places where work of an organization runs. Thread-safe.
public final class Habitats {
    private static final int MOST = 200; // for each organization
    private static final int MAX_NAME = 200;
    private static final String DEFAULT = "default";
    private static final Set<String> TYPES = Set.of("local", "cloud");

    private final Database database;

    public Habitats(Database database) {
        this.database = database;
    }

    private record Given(String slug, String name, String type) {}

    /// @throws dev.sheaf.model.ProblemException validation-failed, name-taken; conflict if there are too many
    public Habitat create(ChangeOrigin origin, RequestFields fields) {
        Access.whole(origin.caller());
        var given = fields.to(Habitats::parse);
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            refuseTaken(tx, origin.organizationId(), given.slug());
            return insert(tx, origin, given).toWire();
        });
    }

    private static Given parse(RequestFields fields) {
        String name = fields.required("name", MAX_NAME);
        return new Given(QueueSlug.of(fields, name), name, type(fields, "local"));
    }

    private static String type(RequestFields fields, String otherwise) {
        return fields.parsedOr(
                "habitatType",
                text -> {
                    if (!TYPES.contains(text)) {
                        throw Problem.invalid("unknown", "must be local or cloud");
                    }
                    return text;
                },
                otherwise);
    }

    private static HabitatRow insert(Tx tx, ChangeOrigin origin, Given given) {
        if (HabitatRows.count(tx, origin.organizationId()) >= MOST) {
            throw new Problem.Conflict("the organization has " + MOST + " habitats, the limit; delete one first")
                    .raise();
        }
        var row = new HabitatRow(
                TimeOrderedIds.next(tx.now()),
                origin.organizationId(),
                given.slug(),
                given.name(),
                given.type(),
                tx.now(),
                null,
                false);
        HabitatRows.insert(tx, row);
        AuditRows.record(tx, origin, "habitat.create", row.slug());
        return row;
    }

    private static void refuseTaken(Tx tx, UUID organization, String slug) {
        if (HabitatRows.find(tx, organization, slug).isPresent()) {
            throw new Problem.NameTaken("the habitat " + slug).raise();
        }
    }

    /// Returns the habitat of a new queue: the habitat with this id, or without an id the habitat `default`,
    /// which is created if it is missing. The organization must be locked.
    static UUID ofNewQueue(Tx tx, ChangeOrigin origin, @Nullable UUID id) {
        if (id != null) {
            return HabitatRows.find(tx, origin.organizationId(), id)
                    .map(HabitatRow::id)
                    .orElseThrow(() -> unknown(id));
        }
        return HabitatRows.find(tx, origin.organizationId(), DEFAULT)
                .orElseGet(() -> insert(tx, origin, new Given(DEFAULT, DEFAULT, "local")))
                .id();
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if the organization does not have the habitat
    public static void require(Tx tx, UUID organization, UUID id) {
        if (!exists(tx, organization, id)) {
            throw unknown(id);
        }
    }

    static RuntimeException unknown(UUID id) {
        var error = new Problem.FieldError("/habitatId", "unknown", "the habitat " + id + " does not exist");
        return new Problem.ValidationFailed(List.of(error)).raise();
    }

    static boolean exists(Tx tx, UUID organization, UUID id) {
        return HabitatRows.find(tx, organization, id).isPresent();
    }

    /// Lists habitats in the order of creation.
    public List<Habitat> list(Caller.Known caller, @Nullable String after, int limit) {
        return database.read(tx -> HabitatRows.list(tx, caller.organizationId(), after, limit)).stream()
                .map(HabitatRow::toWire)
                .toList();
    }

    /// @param place an id or a slug
    /// @throws dev.sheaf.model.ProblemException not-found
    public Habitat get(Caller.Known caller, String place) {
        return database.read(tx -> find(tx, caller.organizationId(), place)).toWire();
    }

    /// @throws dev.sheaf.model.ProblemException not-found if the organization does not have the habitat, even
    /// if another organization does
    public static void refuseMissing(Tx tx, UUID organization, UUID id) {
        find(tx, organization, id.toString());
    }

    private static HabitatRow find(Tx tx, UUID organization, String place) {
        return QueueSlug.id(place)
                .map(id -> HabitatRows.find(tx, organization, id))
                .orElseGet(() -> QueueSlug.named(place).flatMap(slug -> HabitatRows.find(tx, organization, slug)))
                .orElseThrow(() -> new Problem.NotFound("habitat " + Quoted.of(place)).raise());
    }

    /// @param patch a merge patch (RFC 7396)
    /// @param check inspects the current habitat, and may refuse
    /// @throws dev.sheaf.model.ProblemException validation-failed, not-found, name-taken
    public Habitat edit(ChangeOrigin origin, String place, RequestFields patch, Consumer<Habitat> check) {
        Access.whole(origin.caller());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var row = find(tx, origin.organizationId(), place);
            check.accept(row.toWire());
            var edited = patch.to(fields -> patched(fields, row));
            if (!edited.slug().equals(row.slug())) {
                refuseTaken(tx, origin.organizationId(), edited.slug());
            }
            HabitatRows.update(tx, row.id(), edited.name(), edited.slug(), edited.type());
            AuditRows.record(tx, origin, "habitat.update", edited.slug());
            return find(tx, origin.organizationId(), row.id().toString()).toWire();
        });
    }

    private static Given patched(RequestFields fields, HabitatRow row) {
        String name = fields.sent("name") ? fields.required("name", MAX_NAME) : row.name();
        String slug = fields.sent("slug") ? fields.parsed("slug", QueueSlug::parse, row.slug()) : row.slug();
        return new Given(slug, name, fields.sent("habitatType") ? type(fields, "local") : row.habitatType());
    }

    /// @throws dev.sheaf.model.ProblemException not-found; conflict while it has queues
    public void delete(ChangeOrigin origin, String place, Consumer<Habitat> check) {
        Access.whole(origin.caller());
        database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var row = find(tx, origin.organizationId(), place);
            check.accept(row.toWire());
            if (HabitatRows.hasQueues(tx, row.id())) {
                throw new Problem.Conflict("the habitat " + row.slug() + " has queues; delete or move them first")
                        .raise();
            }
            HabitatRows.delete(tx, row.id());
            AuditRows.record(tx, origin, "habitat.delete", row.slug());
            return row;
        });
    }
}
