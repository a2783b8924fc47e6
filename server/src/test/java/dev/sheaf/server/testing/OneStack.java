package dev.sheaf.server.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Many cases of an [OnEveryStack] that are decided before storage matters, such as malformed bodies: they run on
/// SQLite
/// with files only, also with `-Dsheaf.stacks=all`.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OneStack {}
