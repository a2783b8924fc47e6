/// Stores and finds keys and sessions, and signs people in.
@NullMarked
package dev.sheaf.client.credentials;

import org.jspecify.annotations.NullMarked;
