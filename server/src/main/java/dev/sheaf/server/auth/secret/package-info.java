/// Secrets of the installation, and the stored form of other secrets.
@NullMarked
package dev.sheaf.server.auth.secret;

import org.jspecify.annotations.NullMarked;
