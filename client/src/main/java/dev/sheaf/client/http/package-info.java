/// Requests to one registry: sending, retries, and failures.
@NullMarked
package dev.sheaf.client.http;

import org.jspecify.annotations.NullMarked;
