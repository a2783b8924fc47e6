package dev.sheaf.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SettingGroupTest {
    @Test
    void everySettingIsInOneGroupInTheOrderOfTheirDeclaration() {
        assertThat(Arrays.stream(SettingGroup.values()).flatMap(group -> group.settings().stream()))
                .containsExactly(Setting.values());
    }

    @Test
    void aSettingKnowsItsGroup() {
        assertThat(SettingGroup.of(Setting.PORT)).isEqualTo(SettingGroup.ADDRESS);
        assertThat(SettingGroup.of(Setting.LOG_LEVEL)).isEqualTo(SettingGroup.LOG);
    }
}
