/// Arguments and results of the client: references, options, results, progress, failures.
@NullMarked
package dev.sheaf.client.api;

import org.jspecify.annotations.NullMarked;
