package dev.sheaf.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The client's packages, as ARCHITECTURE.md says.
class ClientArchitectureTest {
    private static final String ROOT = "dev.sheaf.client";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void nothingBelowKnowsTheCalls() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT)
                .check(CLASSES);
    }

    @Test
    void thereAreNoCycles() {
        slices().matching(ROOT + ".(*)").should().beFreeOfCycles().check(CLASSES);
    }
}
