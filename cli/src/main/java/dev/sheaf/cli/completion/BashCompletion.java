package dev.sheaf.cli.completion;

import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;

/// Writes picocli's completion script for bash, and for zsh with bashcompinit, which the script loads. Adds
/// names from the registry, which picocli does not know. The shell only compares these names; it never runs
/// them.
final class BashCompletion {
    private static final String NAMES = """

            # Names of bundles, versions and tags, which the registry is asked for. bash breaks words at colons, which zsh
            # does not. In zsh "words" is the line that is completed, and an index needs its "$".
            function _complete_sheaf_names() {
              COMPREPLY=()
              _complete_sheaf "$@"
              if (( ${#COMPREPLY[@]} )); then return; fi
              local line typed name current kept=''
              if [ -n "$ZSH_VERSION" ]; then
                typed=("${COMP_WORDS[@]:1:$COMP_CWORD}")
              else
                line=${COMP_LINE:0:COMP_POINT}
                read -ra typed <<<"$line"
                typed=("${typed[@]:1}")
                case $line in *[[:space:]]) typed+=('') ;; esac
              fi
              if (( ${#typed[@]} < 2 )); then return; fi
              case " @commands@ " in *" ${typed[0]} "*) ;; *) return ;; esac
              current=${typed[${#typed[@]}-1]}
              case $current in [-./~]* | *[!A-Za-z0-9._+:/-]*) return ;; esac
              if [ -z "$ZSH_VERSION" ]; then
                case $COMP_WORDBREAKS in *:*) kept=${current%"${current##*:}"} ;; esac
              fi
              while IFS= read -r name; do
                case $name in "$current"*) COMPREPLY+=("${name#"$kept"}") ;; esac
              done < <("$1" @names@ -- "${typed[@]}" 2>/dev/null)
            }
            complete -F _complete_sheaf_names -o default sheaf
            """;

    /// Of a file `_sheaf` in a folder of `$fpath`: zsh runs it at the first Tab, and its last command answers that one.
    /// It does nothing in bash.
    private static final String AUTOLOADED = """
            if [ "${funcstack[1]-}" = _sheaf ]; then _bash_complete -o default -F _complete_sheaf_names; fi
            """;

    private BashCompletion() {}

    /// Returns the script for zsh, which can be read by `source` and be a file of `$fpath`. bash can read it too.
    static String zsh(CommandLine root) {
        return "#compdef sheaf\n" + script(root) + AUTOLOADED;
    }

    static String script(CommandLine root) {
        String commands = root.getSubcommands().values().stream()
                .filter(BashCompletion::isNamed)
                .map(CommandLine::getCommandName)
                .distinct()
                .collect(Collectors.joining(" "));
        return AutoComplete.bash("sheaf", root)
                + NAMES.replace("@commands@", commands).replace("@names@", NamesCommand.NAME);
    }

    private static boolean isNamed(CommandLine command) {
        return WordUnderCursor.isNamed(command)
                || command.getSubcommands().values().stream().anyMatch(BashCompletion::isNamed);
    }
}
