# fish completion for sallyport(1)

function __sallyport_presets
    sallyport policy list --json 2>/dev/null | string match -ra --groups-only '"name":"([A-Za-z0-9._-]+)"'
end

function __sallyport_detectors
    sallyport dlp detectors --json 2>/dev/null | string match -ra --groups-only '"id":"([A-Za-z0-9._-]+)"'
end

# Whether the words after the program begin with $argv.
function __sallyport_at
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last
    and test "$words[2..$last]" = "$argv"
end

# Whether they are just $argv.
function __sallyport_needs
    test (count (commandline -opc)) -eq (math (count $argv) + 1)
    and __sallyport_at $argv
end

# Whether there are none.
function __sallyport_begins
    test (count (commandline -opc)) -eq 1
end

# Completes the command of `run`: what follows its options.
function __sallyport_command
    set -l words (commandline -opc)
    set -e words[1..2]
    while set -q words[1]
        switch $words[1]
            case --policy --allow --workspace --timeout --audit --as --resolve --ca-bundle --upstream-proxy --no-upstream-proxy --upstream-dns
                set -e words[1]
            case --
                set -e words[1]
                break
            case '-*'
            case '*'
                break
        end
        set -e words[1]
    end
    set words (string escape -- $words) (commandline -ct)
    complete --do-complete="$words"
end

complete -c sallyport -n __sallyport_begins -f -a run -d 'Run a command in a jail'
complete -c sallyport -n __sallyport_begins -f -a proxy -d 'Run the gateway alone'
complete -c sallyport -n __sallyport_begins -f -a attach -d 'Put a running container behind the gateway'
complete -c sallyport -n __sallyport_begins -f -a guard -d 'Inside a container: leave the network to the gateway'
complete -c sallyport -n __sallyport_begins -f -a oci-hook -d 'For OCI runtimes'
complete -c sallyport -n __sallyport_begins -f -a init -d 'Write a Dev Container into a project'
complete -c sallyport -n __sallyport_begins -f -a policy -d 'List, show, check, explain and test policies'
complete -c sallyport -n __sallyport_begins -f -a audit -d 'Read and check audit logs'
complete -c sallyport -n __sallyport_begins -f -a dlp -d 'Look for secrets'
complete -c sallyport -n __sallyport_begins -f -l version -d 'Print the version'
complete -c sallyport -f -l help -d 'Print help'

complete -c sallyport -n '__sallyport_at run' -l policy -r -a '(__sallyport_presets)' -d 'Preset or policy file'
complete -c sallyport -n '__sallyport_at run' -l allow -x -a '(__fish_print_hostnames)' -d 'Host to allow as well'
complete -c sallyport -n '__sallyport_at run' -l workspace -x -a '(__fish_complete_directories)' -d 'Writable directory'
complete -c sallyport -n '__sallyport_at run' -l timeout -x -a '30s 5m 1h' -d 'Time limit'
complete -c sallyport -n '__sallyport_at run' -l audit -r -d 'Audit log file'
complete -c sallyport -n '__sallyport_at run' -l as -x -a '(__fish_complete_users)' -d 'As root: run the jail as this user'
complete -c sallyport -n '__sallyport_at run' -l resolve -x -d 'Pin where a name leads'
complete -c sallyport -n '__sallyport_at run' -l upstream-proxy -x -a 'http:// https:// socks5:// socks5h://' -d 'Proxy of this network'
complete -c sallyport -n '__sallyport_at run' -l no-upstream-proxy -x -d 'Hosts reached without it'
complete -c sallyport -n '__sallyport_at run' -l upstream-dns -x -a 'local remote' -d 'Who looks names up'
complete -c sallyport -n '__sallyport_at run' -l ca-bundle -r -F -d 'Authorities to trust for servers'
complete -c sallyport -n '__sallyport_at run' -x -a '(__sallyport_command)'

complete -c sallyport -n '__sallyport_at proxy' -l listen -x -d 'ADDRESS:PORT for CONNECT, HTTP and SOCKS5'
complete -c sallyport -n '__sallyport_at proxy' -l listen-tls -x -d 'ADDRESS:PORT for TLS by name'
complete -c sallyport -n '__sallyport_at proxy' -l allow-clients -x -d 'CIDR of clients that may connect'
complete -c sallyport -n '__sallyport_at proxy' -l proxy-protocol -x -d 'CIDR of load balancers'
complete -c sallyport -n '__sallyport_at proxy' -l max-connections -x -d 'Of all clients'
complete -c sallyport -n '__sallyport_at proxy' -l max-connections-per-client -x -d 'Of one source address'
complete -c sallyport -n '__sallyport_at proxy' -l tenants -r -F -d 'Policies for some of the clients'
complete -c sallyport -n '__sallyport_at proxy' -l metrics -x -d 'ADDRESS:PORT for metrics and health'
complete -c sallyport -n '__sallyport_at proxy' -l head-timeout -x -a '10s 1m' -d 'For a request head or ClientHello'
complete -c sallyport -n '__sallyport_at proxy' -l keep-alive-timeout -x -a '10s 1m' -d 'Between requests'
complete -c sallyport -n '__sallyport_at proxy' -l threads -x -d 'That serve clients'
complete -c sallyport -n '__sallyport_at proxy' -l idle-timeout -x -a '1m 10m' -d 'For what does not move'
complete -c sallyport -n '__sallyport_at proxy' -l drain -x -a '10s 1m' -d 'What live connections get at the end'
complete -c sallyport -n '__sallyport_at proxy' -l policy -r -a '(__sallyport_presets)' -d 'Preset or policy file'
complete -c sallyport -n '__sallyport_at proxy' -l allow -x -a '(__fish_print_hostnames)' -d 'Host to allow as well'
complete -c sallyport -n '__sallyport_at proxy' -l audit -r -d 'Audit log file'
complete -c sallyport -n '__sallyport_at proxy' -l resolve -x -d 'Pin where a name leads'
complete -c sallyport -n '__sallyport_at proxy' -l placeholder -x -d 'What programs hold for a credential'
complete -c sallyport -n '__sallyport_at proxy' -l upstream-proxy -x -a 'http:// https:// socks5:// socks5h://' -d 'Proxy of this network'
complete -c sallyport -n '__sallyport_at proxy' -l no-upstream-proxy -x -d 'Hosts reached without it'
complete -c sallyport -n '__sallyport_at proxy' -l upstream-dns -x -a 'local remote' -d 'Who looks names up'
complete -c sallyport -n '__sallyport_at proxy' -l ca-bundle -r -F -d 'Authorities to trust for servers'
complete -c sallyport -n '__sallyport_at proxy' -l ca-out -r -F -d 'Where the session certificate goes'
complete -c sallyport -n '__sallyport_at proxy' -f

complete -c sallyport -n '__sallyport_at attach' -l pid -x -a '(__fish_complete_pids)' -d 'A process of the container'
complete -c sallyport -n '__sallyport_at attach' -l netns -r -d 'Its network namespace'
complete -c sallyport -n '__sallyport_at attach' -l policy -r -a '(__sallyport_presets)' -d 'Preset or policy file'
complete -c sallyport -n '__sallyport_at attach' -l allow -x -a '(__fish_print_hostnames)' -d 'Host to allow as well'
complete -c sallyport -n '__sallyport_at attach' -l audit -r -d 'Audit log file'
complete -c sallyport -n '__sallyport_at attach' -l env-file -r -d 'Write the proxy variables here'
complete -c sallyport -n '__sallyport_at attach' -l ca-bundle -r -d 'Authorities to trust besides'
complete -c sallyport -n '__sallyport_at attach' -l ca-out -r -d 'Write the certificate to trust here'
complete -c sallyport -n '__sallyport_at attach' -l detach -d 'Go on in the background'
complete -c sallyport -n '__sallyport_at attach' -l resolve -x -d 'Pin where a name leads'
complete -c sallyport -n '__sallyport_at attach' -l placeholder -x -d 'What programs hold for a credential'
complete -c sallyport -n '__sallyport_at attach' -l upstream-proxy -x -a 'http:// https:// socks5:// socks5h://' -d 'Proxy of this network'
complete -c sallyport -n '__sallyport_at attach' -l no-upstream-proxy -x -d 'Hosts reached without it'
complete -c sallyport -n '__sallyport_at attach' -l upstream-dns -x -a 'local remote' -d 'Who looks names up'
complete -c sallyport -n '__sallyport_at guard' -l policy -r -a '(__sallyport_presets)' -d 'Preset or policy file'
complete -c sallyport -n '__sallyport_at guard' -l allow -x -a '(__fish_print_hostnames)' -d 'Host to allow as well'
complete -c sallyport -n '__sallyport_at guard' -l audit -r -d 'Audit log file'
complete -c sallyport -n '__sallyport_at guard' -l ca-out -r -F -d 'Write the certificate to trust here'
complete -c sallyport -n '__sallyport_at guard' -l detach -d 'Go on in the background'
complete -c sallyport -n '__sallyport_at guard' -l as -x -a '(__fish_complete_users)' -d 'The user of the gateway'
complete -c sallyport -n '__sallyport_at guard' -l ca-bundle -r -d 'Authorities to trust besides'
complete -c sallyport -n '__sallyport_at guard' -l resolve -x -d 'Pin where a name leads'
complete -c sallyport -n '__sallyport_at guard' -l placeholder -x -d 'What programs hold for a credential'
complete -c sallyport -n '__sallyport_at guard' -l upstream-proxy -x -a 'http:// https:// socks5:// socks5h://' -d 'Proxy of this network'
complete -c sallyport -n '__sallyport_at guard' -l no-upstream-proxy -x -d 'Hosts reached without it'
complete -c sallyport -n '__sallyport_at guard' -l upstream-dns -x -a 'local remote' -d 'Who looks names up'
complete -c sallyport -n '__sallyport_at init' -l workspace -x -a '(__fish_complete_directories)' -d 'The project'
complete -c sallyport -n '__sallyport_at init' -l variant -x -a 'guard attach' -d 'Where Sallyport runs'
complete -c sallyport -n '__sallyport_at init' -l agent -x -a 'none claude-code codex gemini' -d 'The agent to install'
complete -c sallyport -n '__sallyport_at init' -l image -x -d 'The image of the container'
complete -c sallyport -n '__sallyport_at init' -l policy -x -a '(__sallyport_presets)' -d 'Preset'
complete -c sallyport -n '__sallyport_at init' -l package -r -F -d 'The Debian package of Sallyport'
complete -c sallyport -n '__sallyport_at init' -l yes -d 'Ask nothing, take the defaults'
complete -c sallyport -n '__sallyport_at init' -l dry-run -d 'Only say what would be written'
complete -c sallyport -n '__sallyport_at init' -l force -d 'Replace files that are there'
complete -c sallyport -n '__sallyport_at init' -l json -d 'One JSON object'
complete -c sallyport -n '__sallyport_at oci-hook' -l audit -r -d 'Audit log file'
complete -c sallyport -n '__sallyport_at oci-hook' -l ca-bundle -r -d 'Authorities to trust for servers'
complete -c sallyport -n '__sallyport_at oci-hook' -l resolve -x -d 'Pin where a name leads'
complete -c sallyport -n '__sallyport_at oci-hook' -l upstream-proxy -x -d 'Proxy of this network'
complete -c sallyport -n '__sallyport_at oci-hook' -l no-upstream-proxy -x -d 'Hosts reached without it'
complete -c sallyport -n '__sallyport_at oci-hook' -l upstream-dns -x -a 'local remote' -d 'Who looks names up'

complete -c sallyport -n '__sallyport_needs policy' -f -a list -d 'List the shipped presets'
complete -c sallyport -n '__sallyport_needs policy' -f -a show -d 'Print what policies merge to'
complete -c sallyport -n '__sallyport_needs policy' -f -a check -d 'Say what is wrong with policy files'
complete -c sallyport -n '__sallyport_needs policy' -f -a explain -d 'Say what a policy answers to one request'
complete -c sallyport -n '__sallyport_needs policy' -f -a test -d 'Run the tests that policy files hold'
complete -c sallyport -n '__sallyport_needs policy' -f -a reload -d 'Ask a proxy to read its policy again'
complete -c sallyport -n '__sallyport_at policy reload' -l pid -x -a '(__fish_complete_pids)' -d 'Process id of the proxy'
complete -c sallyport -n '__sallyport_needs policy' -f -a schema -d 'Print the JSON Schema of policy files'
for command in list show check explain test
    complete -c sallyport -n "__sallyport_at policy $command" -l json -d 'Print JSON'
end
for command in show check test
    complete -c sallyport -n "__sallyport_at policy $command" -a '(__sallyport_presets)' -d Preset
end
complete -c sallyport -n '__sallyport_at policy explain' -l policy -r -a '(__sallyport_presets)' -d 'Preset or policy file'
complete -c sallyport -n '__sallyport_at policy explain' -l allow -x -a '(__fish_print_hostnames)' -d 'Host to allow as well'
complete -c sallyport -n '__sallyport_at policy explain' -l process -r -F -d 'Executable that asks'
complete -c sallyport -n '__sallyport_needs policy explain' -f -a 'GET HEAD POST PUT DELETE CONNECT' -d Method

complete -c sallyport -n '__sallyport_needs audit' -f -a show -d 'Print a log as a table'
complete -c sallyport -n '__sallyport_needs audit' -f -a list -d 'List the logs of your sessions'
complete -c sallyport -n '__sallyport_needs audit' -f -a verify -d 'Check that logs are whole and unchanged'
for command in show list verify
    complete -c sallyport -n "__sallyport_at audit $command" -l json -d 'Print JSON'
end
complete -c sallyport -n '__sallyport_at audit show' -l session -x -d 'The log of this session'
complete -c sallyport -n '__sallyport_at audit show' -l denied -d 'Only what was refused'
complete -c sallyport -n '__sallyport_at audit show' -l type -x -d 'Only records of this type' \
    -a 'session.start session.end command.exec command.exit dns.query egress.request egress.tunnel limit.hit audit.checkpoint'
complete -c sallyport -n '__sallyport_at audit verify' -l key -r -d 'File with a public key to trust'
complete -c sallyport -n '__sallyport_at audit verify' -l live -d 'Accept a log without an end'

complete -c sallyport -n '__sallyport_needs dlp' -f -a scan -d 'Look for secrets in files'
complete -c sallyport -n '__sallyport_needs dlp' -f -a detectors -d 'List what is looked for'
complete -c sallyport -n '__sallyport_needs dlp' -f -a allow -d 'Write the exception for one finding'
complete -c sallyport -n '__sallyport_at dlp allow' -l from -r -d 'Audit log'
complete -c sallyport -n '__sallyport_at dlp allow' -l seq -x -d 'Of the finding in it'
complete -c sallyport -n '__sallyport_at dlp allow' -l until -x -d 'Its last day'
complete -c sallyport -n '__sallyport_at dlp allow' -l to -r -d 'Policy file to make or add to'
for command in scan detectors
    complete -c sallyport -n "__sallyport_at dlp $command" -l json -d 'Print JSON'
end
complete -c sallyport -n '__sallyport_at dlp scan' -l config -r -d 'A gitleaks configuration whose rules are looked for, too'
complete -c sallyport -n '__sallyport_at dlp scan' -l disable -x -a '(__sallyport_detectors)' -d 'A detector to leave out'
complete -c sallyport -n '__sallyport_at dlp scan' -l no-ignore -d 'Also look into files that .gitignore names'
complete -c sallyport -n '__sallyport_at dlp scan' -l jsonl -d 'One message a line in, one verdict a line out'
complete -c sallyport -n '__sallyport_at dlp scan' -l sarif -d 'One SARIF document'
