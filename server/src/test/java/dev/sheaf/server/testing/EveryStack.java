package dev.sheaf.server.testing;

import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The class runs once on each [Stack], which its `@Parameter` gets.
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@EnumSource(Stack.class)
public @interface EveryStack {}
