package dev.sheaf.server.event;

/// Makes the name of an event that of its record: the words before the last are joined by underscores, and the last
/// follows a dot.
final class EventNames {
    private EventNames() {}

    static String of(String record) {
        var name = new StringBuilder();
        int last = 0;
        for (char c : record.toCharArray()) {
            if (Character.isUpperCase(c) && !name.isEmpty()) {
                last = name.length();
                name.append('_');
            }
            name.append(Character.toLowerCase(c));
        }
        name.setCharAt(last, '.');
        return name.toString();
    }
}
