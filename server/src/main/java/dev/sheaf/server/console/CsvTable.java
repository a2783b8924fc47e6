package dev.sheaf.server.console;

import dev.sheaf.server.http.message.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Writes a table as CSV (RFC 4180), row by row. Bound to its request.
///
/// What others wrote stays text: a cell that a spreadsheet would calculate, because it begins with `=`, `+`, `-`,
/// `@`, a tab or a line break, gets an apostrophe before it.
public final class CsvTable {
    private static final String FORMULA = "=+-@\t\r\n";

    private final OutputStream out;
    private int columns;

    private CsvTable(OutputStream out) {
        this.out = out;
    }

    /// Writes the rows of a table.
    public interface Rows {
        void writeTo(CsvTable table) throws IOException;
    }

    /// Returns a table for download, which no cache keeps.
    ///
    /// @param name the name of the file, without its ending
    /// @param rows writes the rows, while the table is sent
    public static Answer download(String name, Rows rows) {
        return Answer.stream("text/csv; charset=utf-8", out -> rows.writeTo(new CsvTable(out)))
                .with("Content-Disposition", "attachment; filename=\"" + name + ".csv\"")
                .with("Cache-Control", "private, no-store");
    }

    /// Writes a row.
    ///
    /// @param cells null for an empty cell
    public void row(@Nullable Object... cells) throws IOException {
        var line = new StringBuilder();
        for (var cell : cells) {
            line.append(line.isEmpty() ? "" : ",").append(quoted(cell == null ? "" : cell.toString()));
        }
        columns = Math.max(columns, cells.length);
        out.write(line.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    /// Writes a last row that says what the table lacks, with as many cells as the others.
    ///
    /// @param what a sentence
    public void lacks(String what) throws IOException {
        var cells = new Object[columns];
        Arrays.fill(cells, "");
        cells[0] = what;
        row(cells);
    }

    private static String quoted(String text) {
        boolean isFormula = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0;
        return "\"" + (isFormula ? "'" : "") + text.replace("\"", "\"\"") + "\"";
    }
}
