/// API keys: create, find and change them, and handle their expiry and leaks.
@NullMarked
package dev.sheaf.server.org.key;

import org.jspecify.annotations.NullMarked;
