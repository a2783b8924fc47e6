package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.V2Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tags as common images have them, copied one by one in any order, as `crane copy -a` does, and once more after some
/// of them moved.
class V2MirrorTest extends V2Scenario {
    /// Groups of tags of one image each. A tag after `>` has moved to that image when the set is copied again.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "3.20.3 3.20 3 latest | 3.19.4 3.19 | edge 20240923 | 3.21.0 >3.21 >3 >latest >edge",
                "23.1.0 23.1 23 current latest | 22.11.0 22.11 22 lts jod | 20.18.0 20 iron | 23.2.0 >23.2 >23 >latest",
                "1.27.2 1.27 1 mainline latest | 1.26.2 1.26 stable | 1.27.2-alpine 1.27-alpine alpine | 1.27.3 >1.27 >1",
                "v3.2.0 3.2.0 v3.2 3.2 v3 3 munster latest | v2.11.12 2.11.12 v2.11 2.11 | v3.2.1 3.2.1 >v3.2 >v3 >latest",
                "21.0.5_11-jdk 21-jdk 21 latest | 21.0.5_11-jre 21-jre | 23.0.1_11-jdk 23-jdk 23 | 21.0.6_7-jdk >21 >latest",
                "9.1.0 9.1 9 innovation latest | 8.4.3 8.4 8 lts | 9.1.0-oraclelinux9 9.1-oracle | 9.2.0 >9.2 >9 >latest",
                "17.1 17 latest bookworm | 16.5 16 | 17.1-alpine3.20 17-alpine alpine | 17.2 >17 >latest >bookworm",
                "7.4.1 7.4 7 latest | 7.2.6 7.2 | 8.0-rc1 8.0-m02 | 7.4.2 >7.4 >7 >latest",
                "3.13.0 3.13 3 latest slim | 3.12.7 3.12 | 3.14.0a1 3.14-rc | 3.13.1 >3.13 >3 >latest",
                "1.23.3 1.23 1 latest | 1.22.9 1.22 | tip-20241110 tip | 1.23.4 >1.23 >1 >tip",
                "24.10 rolling oracular | 24.04 latest noble noble-20241015 | 22.04 jammy | 25.04 >rolling",
                "8.0.0-rc3 8.0 | 8.3.13 8.3 8 latest fpm | 8.2.25 8.2 | 8.4.1 >8.4 >8 >latest",
                "11.6.2 11.6 11 latest | 10.11.10 10.11 10 lts | 11.7-rc | 11.6.3 >11.6 >latest",
                "8.16.0 | 7.17.25 7.17 | 8.15.3 8.15 latest | 8.16.1 >8.16",
                "v1.31.2 v1.31 latest | v1.30.6 v1.30 | v1.32.0-beta.0 | v1.31.3 >v1.31 >latest",
                "2.9.6 2.9 2 lts latest | 3.0.5 3.0 3 | 3.1-dev10 dev | 3.0.6 >3.0 >3"
            })
    void everySetIsCompleteInEveryOrder(String set) {
        for (int seed = 0; seed < 2; seed++) {
            String repository = "mirror/s" + Integer.toHexString(set.hashCode()) + "-" + seed;
            var first = new HashMap<String, String>();
            var later = new HashMap<String, String>();
            for (String group : set.split(" \\| ")) {
                String image = image(repository, random(20 + first.size() + later.size()));
                for (String tag : group.split(" ")) {
                    var when = tag.startsWith(">") ? later : first;
                    when.put(tag.replace(">", ""), image);
                }
            }

            copy(repository, first, seed);
            assertThat(held(repository, first.keySet())).isEqualTo(first);
            first.putAll(later);
            copy(repository, first, seed + 10);

            assertThat(held(repository, first.keySet())).isEqualTo(first);
            assertThat(call("GET", "/v2/" + repository + "/tags/list", null)
                            .json()
                            .get("tags")
                            .valueStream()
                            .map(tag -> tag.stringValue())
                            .filter(tag -> !tag.equals("latest")))
                    .containsExactlyElementsOf(first.keySet().stream()
                            .filter(tag -> !tag.equals("latest"))
                            .sorted()
                            .toList());
        }
    }

    private void copy(String repository, Map<String, String> images, int seed) {
        var tags = new ArrayList<>(images.keySet());
        Collections.sort(tags);
        Collections.shuffle(tags, new Random(seed));
        for (String tag : tags) {
            var reply = app().send(app().request(
                            "PUT", "/v2/" + repository + "/manifests/" + tag, app().admin(), images.get(tag))
                    .setHeader("Content-Type", "application/vnd.oci.image.manifest.v1+json"));
            assertThat(reply.status())
                    .as("%s in %s: %s", tag, tags, reply.text())
                    .isEqualTo(201);
        }
    }

    private Map<String, String> held(String repository, Iterable<String> tags) {
        var images = new HashMap<String, String>();
        for (String tag : tags) {
            images.put(
                    tag,
                    call("GET", "/v2/" + repository + "/manifests/" + tag, null).text());
        }
        return images;
    }
}
