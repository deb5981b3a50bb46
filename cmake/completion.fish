# Completion of dalembert for fish: commands, the options and choices that the program itself lists, models and files.
function __dalembert_commands
    dalembert --help | awk '$1 == "dalembert" && $2 ~ /^[a-z]/ { name = $2; $1 = $2 = ""; sub(/^ */, ""); print name "\t" $0 }'
end

function __dalembert_options
    set -l words (commandline -opc)
    dalembert $words[2] --help 2>/dev/null | grep -o -- '--[a-z][a-z_-]*' | sort -u
end

function __dalembert_choices # the values of the option before, if it has a fixed list of them
    set -l words (commandline -opc)
    test (count $words) -ge 3; and string match -q -- '--*' $words[-1]; or return 1
    dalembert $words[2] --help 2>/dev/null | awk -v flag=$words[-1] '
        /^[^ ]/ || /^ +-/ { here = $1 == flag || $2 == flag } here && NF { last = $NF }
        END { if (last !~ /[|]/) exit 1; gsub(/[|]/, "\n", last); print last }'
end

function __dalembert_files # SUFFIX...: files that end so, and folders, unless an option waits for a choice
    __dalembert_choices >/dev/null; and return
    set -l begun (commandline -ct)
    for file in $begun*
        if test -d $file
            printf '%s/\n' $file
        else if contains -- (string replace -r '.*\.' '' -- $file) $argv
            printf '%s\n' $file
        end
    end
end

function __dalembert_command # NAME...: is it one of these?
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

complete -c dalembert -f
complete -c dalembert -n 'test (count (commandline -opc)) -eq 1' -a '(__dalembert_commands)'
complete -c dalembert -n 'test (count (commandline -opc)) -eq 1' -a '--help --version'
complete -c dalembert -n 'test (count (commandline -opc)) -ge 2; and string match -q -- "-*" (commandline -ct)' -a '(__dalembert_options)'
complete -c dalembert -a '(__dalembert_choices)'
complete -c dalembert -n '__dalembert_command run check show converge sweep export cite' -a '(__dalembert_files dal)'
complete -c dalembert -n '__dalembert_command plot' -a '(__dalembert_files csv npy npz h5)'
complete -c dalembert -n '__dalembert_command report' -a '(__dalembert_files dal h5 npz csv)'
complete -c dalembert -n '__dalembert_command resume' -F
