/// The protocol of workers: they wait for a job, claim it, and report on it. Jobs of silent workers return to
/// their queue.
@NullMarked
package dev.sheaf.server.queue.claim;

import org.jspecify.annotations.NullMarked;
