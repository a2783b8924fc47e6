package dev.sheaf.server.console.edit;

import dev.sheaf.server.console.Pages;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.stream.Stream;

/// All pages by which bundles are made and changed.
public final class EditPages {
    private EditPages() {}

    public static List<Route> routes(Pages pages) {
        return Stream.of(
                        new SettingsPages().routes(pages),
                        new FilesPages().routes(pages),
                        new PublishPages().routes(pages),
                        new NewPages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
