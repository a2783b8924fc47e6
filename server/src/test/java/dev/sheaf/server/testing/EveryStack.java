package dev.sheaf.server.testing;

import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The class runs on each kind of database and each kind of blob store: on SQLite with files, and on PostgreSQL with a
/// bucket. Its `@Parameter` gets the [Stack]. What depends on how rows and bytes go together, such as backup, fsck and
/// purge, names all of `Stack`.
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@EnumSource(
        value = Stack.class,
        names = {"SQLITE", "POSTGRES_AND_BUCKET"})
public @interface EveryStack {}
