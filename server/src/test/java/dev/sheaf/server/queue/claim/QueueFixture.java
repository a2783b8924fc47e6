package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.blob.FileBlobStore;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.queue.NamedBundle;
import dev.sheaf.server.queue.PromptReader;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.JobEnqueue;
import dev.sheaf.server.queue.job.Jobs;
import dev.sheaf.server.queue.job.NewJob;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.tag.Tags;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// One node's queues over a database, for an organization that is made here.
final class QueueFixture {
    final Database database;
    final UUID organization;
    final Queues queues;
    final JobEnqueue enqueue;
    final Jobs jobs;
    final JobClock clock;
    final ClaimLeases leases;
    final Claims claims;

    /// @param organization one that is there
    QueueFixture(Database database, UUID organization, Path folder, CpuPool cpu) {
        this.database = database;
        this.organization = organization;
        var bundles = new Bundles(database, new Repositories(database));
        var named = new NamedBundle(bundles);
        var store = new FileBlobStore(folder.resolve("blobs"), 0, new TransferBuffers(), CallTimes.OFF);
        var blobs = new Blobs(database, store, RetentionPolicy.DEFAULT, new Blobs.CacheSize(100, 1 << 20));
        var prompts = new PromptReader(bundles, new Resolve(database, new Tags(database)), new AssetBytes(blobs));
        this.queues = new Queues(database, named);
        this.enqueue = new JobEnqueue(database, named);
        this.jobs = new Jobs(database, queues);
        this.clock = new JobClock(database, NO_SCHEDULES);
        this.leases = new ClaimLeases(database, clock);
        this.claims = new Claims(
                database,
                prompts,
                new JobExecutions(prompts, cpu, database::now),
                (caller, pinned, until) -> Optional.empty(),
                leases,
                clock);
        claims.begin();
    }

    private static final JobClock.Ticks NO_SCHEDULES = new JobClock.Ticks() {
        @Override
        public Ticked tick(int most) {
            return Ticked.ALL;
        }

        @Override
        public @Nullable Instant next(Tx tx) {
            return null;
        }
    };

    static UUID organization(Database database) {
        return database.write(tx -> {
            var id = TimeOrderedIds.next(tx.now());
            tx.change(
                    "INSERT INTO organization (id, handle, name, created_at) VALUES (:id, 'acme', 'Acme', :now)",
                    "id",
                    id);
            return id;
        });
    }

    /// Makes an API key of the organization, that may write.
    UUID key() {
        return database.write(tx -> {
            var id = TimeOrderedIds.next(tx.now());
            tx.change("""
                    INSERT INTO api_key (id, organization_id, name, scopes, hint, secret_hash, pepper, created_at)
                    VALUES (:id, :organization, 'author', 'write', 'shf_…', 'a hash', 0, :now)
                    """, "id", id, "organization", organization);
            return id;
        });
    }

    ChangeOrigin origin(UUID key) {
        return new ChangeOrigin(caller(key), "127.0.0.1", "request");
    }

    Caller.Known caller(UUID key) {
        return new Caller.Known(
                new Credential.Key(key, "worker", "shf_…", null),
                organization,
                Scope.WRITE,
                CredentialRestrictions.NONE,
                Grant.ALL,
                null);
    }

    ClaimLeases.Said said(UUID key, UUID job) {
        return new ClaimLeases.Said(caller(key), job, null);
    }

    QueueRow queue(UUID key, String json) {
        var made = queues.create(origin(key), fields(json));
        return queues.find(caller(key), made.id().toString());
    }

    static RequestFields fields(String json) {
        return RequestFields.of(JsonMapper.builder().build().readTree(json));
    }

    Job enqueue(UUID key, QueueRow queue, String json) {
        return enqueue.enqueue(origin(key), queue.id().toString(), fields(json).to(NewJob::parseAll), false)
                .getFirst()
                .job();
    }

    Optional<Job> claim(UUID key, @Nullable QueueRow queue) {
        return claims
                .take(
                        caller(key),
                        new ClaimRequest(queue == null ? null : queue.id(), null, null, null, null),
                        "registry.test")
                .jobs()
                .stream()
                .map(handed -> handed.claim().job())
                .findFirst();
    }

    List<Claims.Handed> take(UUID key, ClaimRequest request) {
        return claims.take(caller(key), request, "registry.test").jobs();
    }
}
