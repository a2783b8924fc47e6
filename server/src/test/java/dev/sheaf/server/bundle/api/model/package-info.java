/// Random changes of bundles over HTTP, compared with a model of the rules.
@NullMarked
package dev.sheaf.server.bundle.api.model;

import org.jspecify.annotations.NullMarked;
