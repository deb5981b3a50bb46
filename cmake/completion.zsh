#compdef dalembert
# Completion of dalembert for zsh: commands, the options and choices that the program itself lists, models and files.
_dalembert_choices() { # COMMAND OPTION: the values of an option that has a fixed list of them
    dalembert $1 --help 2>/dev/null | awk -v flag="$2" '
        /^[^ ]/ || /^ +-/ { here = $1 == flag || $2 == flag } here && NF { last = $NF }
        END { if (last ~ /[|]/) { gsub(/[|]/, "\n", last); print last } }'
}
_dalembert() {
    local command=${words[2]} before=${words[CURRENT-1]}
    local -a choices
    if [[ ${words[CURRENT]} == --*=* ]]; then
        before=${words[CURRENT]%%=*}
        compset -P '*='
    fi
    [[ $before != --* ]] || choices=(${(f)"$(_dalembert_choices $command $before)"})
    if (( CURRENT == 2 )); then
        local -a commands
        commands=(${(f)"$(dalembert --help | awk '$1 == "dalembert" && $2 ~ /^[a-z]/ { print $2 }')"} --help --version)
        compadd -a commands
    elif (( $#choices )); then
        compadd -a choices
    elif [[ ${words[CURRENT]} == -* ]]; then
        local -a options
        options=(${(f)"$(dalembert $command --help 2>/dev/null | grep -o -- '--[a-z][a-z_-]*' | sort -u)"})
        compadd -a options
    elif [[ $command == plot ]]; then
        _files -g '*.(csv|npy|npz|h5)'
    elif [[ $command == report ]]; then
        _files -g '*.(dal|h5|npz|csv)'
    elif [[ $command == resume ]]; then
        _files
    else
        _files -g '*.dal'
    fi
}
_dalembert "$@"
