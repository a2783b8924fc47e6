/// Random changes of bundles over HTTP, compared with a model of the rules.
@NullMarked
package dev.sheaf.server.v1.bundle.model;

import org.jspecify.annotations.NullMarked;
