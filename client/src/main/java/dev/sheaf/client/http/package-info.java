/// Requests to one registry: sent, tried again, and their failures named.
@NullMarked
package dev.sheaf.client.http;

import org.jspecify.annotations.NullMarked;
