/// What workers do with jobs: they wait for one, claim it, and report on it. And what the service does where they do
/// not.
@NullMarked
package dev.sheaf.server.queue.claim;

import org.jspecify.annotations.NullMarked;
