/// Bundles as packages of APM: their versions as archives, sent by its clients or derived.
@NullMarked
package dev.sheaf.server.apm;

import org.jspecify.annotations.NullMarked;
