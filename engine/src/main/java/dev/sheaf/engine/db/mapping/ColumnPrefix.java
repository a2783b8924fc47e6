package dev.sheaf.engine.db.mapping;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The prefix of the column names of a record component that is itself a row, such as a row of a second table,
/// which also has a column `id`.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface ColumnPrefix {
    String value();
}
