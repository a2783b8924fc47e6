package dev.sheaf.server.db.mapping;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// On a component of a row that is itself a row, such as that of a second table: what stands before the names of
/// its columns in the query, since both have a column `id`.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Prefixed {
    String value();
}
