/// The bytes of an answer: their tags, their codings, and the processors that these take.
@NullMarked
package dev.sheaf.server.http.entity;

import org.jspecify.annotations.NullMarked;
