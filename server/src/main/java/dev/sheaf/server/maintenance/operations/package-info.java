/// What a node does now and has done lately, for those who run it.
@NullMarked
package dev.sheaf.server.maintenance.operations;

import org.jspecify.annotations.NullMarked;
