/// Secrets of the installation, and what is stored of others' secrets.
@NullMarked
package dev.sheaf.server.auth.secret;

import org.jspecify.annotations.NullMarked;
