# Completion of dalembert for bash: commands, the options and choices that the program itself lists, models and files.
_dalembert_choices() { # COMMAND OPTION: the values of an option that has a fixed list of them
    dalembert "$1" --help 2>/dev/null | awk -v flag="$2" '
        /^[^ ]/ || /^ +-/ { here = $1 == flag || $2 == flag } here && NF { last = $NF }
        END { if (last ~ /[|]/) { gsub(/[|]/, "\n", last); print last } }'
}
_dalembert() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD - 1]} choices=
    if [ "$word" = = ]; then # --solver=
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    [ "${before#--}" = "$before" ] || choices=$(_dalembert_choices "$command" "$before")
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "$(dalembert --help | awk '$1 == "dalembert" && $2 ~ /^[a-z]/ { print $2 }') --help --version" -- "$word"))
    elif [ -n "$choices" ]; then
        COMPREPLY=($(compgen -W "$choices" -- "$word"))
    elif [ "${word#-}" != "$word" ]; then
        COMPREPLY=($(compgen -W "$(dalembert "$command" --help 2>/dev/null | grep -o -- '--[a-z][a-z_-]*' | sort -u)" -- "$word"))
    elif [ "$command" = plot ] || [ "$command" = report ]; then
        local suffix suffixes="csv npy npz h5"
        [ "$command" = plot ] || suffixes="dal h5 npz csv"
        COMPREPLY=($(compgen -d -- "$word"))
        for suffix in $suffixes; do COMPREPLY+=($(compgen -f -X "!*.$suffix" -- "$word")); done
    elif [ "$command" = resume ]; then
        COMPREPLY=($(compgen -f -- "$word"))
    else
        COMPREPLY=($(compgen -f -X '!*.dal' -- "$word") $(compgen -d -- "$word"))
    fi
}
complete -o default -F _dalembert dalembert
