package dev.sheaf.server.console.chart;

/// A small line beside a number.
///
/// @param line the path of the line; empty if nothing was measured
/// @param area the path of the area below it; empty if there is none
/// @param label tells the course in a sentence, for those who do not see the drawing
public record SparkLine(String line, String area, String label) {}
