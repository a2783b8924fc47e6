/// What callers hand to the client, and what they get from it: references, options, results, progress, failures.
@NullMarked
package dev.sheaf.client.api;

import org.jspecify.annotations.NullMarked;
