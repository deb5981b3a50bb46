#compdef dalembert
# Completion of dalembert for zsh: commands, the options that the program itself lists, models and files.
_dalembert() {
    local command=${words[2]}
    if (( CURRENT == 2 )); then
        local -a commands
        commands=(${(f)"$(dalembert --help | awk '$1 == "dalembert" && $2 ~ /^[a-z]/ { print $2 }')"} --help --version)
        compadd -a commands
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
