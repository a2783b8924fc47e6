package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.Queues;
import org.jspecify.annotations.Nullable;

/// The calls of commands that are about more than queues.
///
/// @param organization null means the caller's own
record QueueCalls(SheafClient client, @Nullable String organization) {
    static ResourceCommand<QueueCalls> command(Connection connection, String name, String description) {
        return ResourceCommand.ofOrganization(connection, QueueCalls::new, name, description);
    }

    Jobs jobs() {
        return client.jobs(organization);
    }

    Queues queues() {
        return client.queues(organization);
    }
}
