/// Bodies of answers: their entity tags, their codings, and the processor time for both.
@NullMarked
package dev.sheaf.server.http.entity;

import org.jspecify.annotations.NullMarked;
