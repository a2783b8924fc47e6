package dev.sheaf.engine.template;

/// A filter and the number of its arguments.
record FilterSpec(int least, int most, Filter filter) {}
