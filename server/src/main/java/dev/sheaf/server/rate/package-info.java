/// Rate limits: token buckets in memory, and a shared count of use between nodes.
@NullMarked
package dev.sheaf.server.rate;

import org.jspecify.annotations.NullMarked;
