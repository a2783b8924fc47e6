package dev.sheaf.server.console.edit;

import dev.sheaf.server.console.Pages;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.stream.Stream;

/// All pages that create and change bundles.
public final class EditPages {
    private EditPages() {}

    /// @param mostFiles the maximum number of files of a bundle
    public static List<Route> routes(Pages pages, int mostFiles) {
        return Stream.of(
                        new SettingsPages().routes(pages),
                        new FilesPages(mostFiles).routes(pages),
                        new PublishPages().routes(pages),
                        new NewPages(mostFiles).routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
