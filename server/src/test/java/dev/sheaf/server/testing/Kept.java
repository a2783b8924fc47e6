package dev.sheaf.server.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Looks for a text in everything that a node keeps.
public final class Kept {
    private Kept() {}

    /// The tables that hold it, whatever their columns.
    public static List<String> tablesWith(TestApp app, String text) {
        return app.database().read(tx -> {
            var tables = tx.handle()
                    .createQuery(
                            switch (tx.dialect()) {
                                case SQLITE -> "SELECT name FROM sqlite_master WHERE type = 'table'";
                                case POSTGRES ->
                                    "SELECT table_name FROM information_schema.tables"
                                            + " WHERE table_schema = current_schema()";
                            })
                    .mapTo(String.class)
                    .list();
            return tables.stream()
                    .filter(table ->
                            tx.handle().createQuery("SELECT * FROM \"" + table + "\"").mapToMap().list().stream()
                                    .flatMap(row -> row.values().stream())
                                    .anyMatch(value -> text(value).contains(text)))
                    .toList();
        });
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.ISO_8859_1) : String.valueOf(value);
    }

    /// The names of what lies in the store and holds it.
    public static List<String> objectsWith(TestApp app, String text) throws IOException {
        var names = new ArrayList<String>();
        for (String name : app.stored().names()) {
            if (text(app.stored().read(name)).contains(text)) {
                names.add(name);
            }
        }
        return names;
    }
}
