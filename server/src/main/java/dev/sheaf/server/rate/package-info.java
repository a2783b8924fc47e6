/// How often anybody may ask: token buckets in memory, and between nodes a count of what was taken.
@NullMarked
package dev.sheaf.server.rate;

import org.jspecify.annotations.NullMarked;
