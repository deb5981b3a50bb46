# Completion of dalembert for bash: commands, the options that the program itself lists, models and files.
_dalembert() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "$(dalembert --help | awk '$1 == "dalembert" && $2 ~ /^[a-z]/ { print $2 }') --help --version" -- "$word"))
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
