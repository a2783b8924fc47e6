package dev.sheaf.server.template;

/// A filter, and how many arguments it takes.
record FilterSpec(int least, int most, Filter filter) {}
