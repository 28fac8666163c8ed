# bash completion for sallyport(1)

# The values of member $1 in JSON on standard input, one a line.
_sallyport_values_of() {
  grep -oE "\"$1\":\"[A-Za-z0-9._-]+\"" | cut -d '"' -f 4
}

# Names of the shipped presets.
_sallyport_presets() {
  sallyport policy list --json 2>/dev/null | _sallyport_values_of name
}

# Fills COMPREPLY with those of the words $1 that begin with $2.
_sallyport_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_sallyport_files() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_sallyport_presets_and_files() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -W "$(_sallyport_presets)" -- "$1"; compgen -f -- "$1")
}

# Completes the value of option $1, of which $2 has been typed; fails if the option takes none.
_sallyport_value() {
  case $1 in
    --policy) _sallyport_presets_and_files "$2" ;;
    --workspace) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    --variant) _sallyport_words 'guard attach' "$2" ;;
    --agent) _sallyport_words 'none claude-code codex gemini' "$2" ;;
    --audit | --from | --to | --key | --ca-bundle | --ca-out | --package) _sallyport_files "$2" ;;
    --as) mapfile -t COMPREPLY < <(compgen -u -- "$2") ;;
    --timeout) _sallyport_words '30s 5m 1h' "$2" ;;
    --type) _sallyport_words "session session.start session.end command command.exec command.exit dns.query egress \
      egress.request egress.tunnel limit.hit audit.checkpoint" "$2" ;;
    --disable) _sallyport_words "$(sallyport dlp detectors --json 2>/dev/null | _sallyport_values_of id)" "$2" ;;
    --listen) _sallyport_words '127.0.0.1:3128' "$2" ;;
    --upstream-proxy) _sallyport_words 'http:// https:// socks5:// socks5h://' "$2" ;;
    --upstream-dns) _sallyport_words 'local remote' "$2" ;;
    --allow | --seq | --until | --resolve | --placeholder | --no-upstream-proxy | --session | --image) COMPREPLY=() ;;
    *) return 1 ;;
  esac
}

# Where the command of `run` begins in COMP_WORDS; fails if the cursor stands before it.
# Readline cuts words at ':' and '=', so that HOST:PORT and --policy=NAME are three words each.
_sallyport_command_start() {
  local i
  for ((i = 2; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --policy | --allow | --workspace | --timeout | --audit | --as | --resolve | --ca-bundle | --upstream-proxy | --no-upstream-proxy | --upstream-dns)
        ((i++))
        [[ ${COMP_WORDS[i]} == = ]] && ((i++))
        ;;
      :*) ((i++)) ;;
      --) echo $((i + 1)); return ;;
      -*) ;;
      *) echo "$i"; return ;;
    esac
  done
  return 1
}

_sallyport_run() {
  local start
  if start=$(_sallyport_command_start); then
    if declare -F _command_offset >/dev/null; then
      _command_offset "$start"
    elif ((start == COMP_CWORD)); then
      mapfile -t COMPREPLY < <(compgen -c -- "$1")
    else
      _sallyport_files "$1"
    fi
  elif [[ $1 == -* ]]; then
    _sallyport_words '--policy --allow --workspace --timeout --audit --as --resolve --upstream-proxy --no-upstream-proxy --upstream-dns --ca-bundle --help --' "$1"
  else
    mapfile -t COMPREPLY < <(compgen -c -- "$1")
  fi
}

_sallyport_policy() {
  case $2 in
    list) _sallyport_words '--json --help' "$1" ;;
    show | check | test) [[ $1 == -* ]] && _sallyport_words '--json --help' "$1" || _sallyport_presets_and_files "$1" ;;
    explain) [[ $1 == -* ]] && _sallyport_words '--policy --allow --process --json --help' "$1" ||
      _sallyport_words 'GET HEAD POST PUT DELETE CONNECT' "$1" ;;
    reload) _sallyport_words '--pid --help' "$1" ;;
    schema) _sallyport_words '--help' "$1" ;;
    *) _sallyport_words 'list show check explain test reload schema --help' "$1" ;;
  esac
}

_sallyport_dlp() {
  case $2 in
    scan) [[ $1 == -* ]] && _sallyport_words '--config --disable --no-ignore --jsonl --json --sarif --help' "$1" || _sallyport_files "$1" ;;
    detectors) _sallyport_words '--json --help' "$1" ;;
    allow) _sallyport_words '--from --seq --until --to --help' "$1" ;;
    *) _sallyport_words 'scan detectors allow --help' "$1" ;;
  esac
}

_sallyport_audit() {
  case $2 in
    show) [[ $1 == -* ]] && _sallyport_words '--session --type --denied --json --help' "$1" || _sallyport_files "$1" ;;
    list) _sallyport_words '--json --help' "$1" ;;
    verify) [[ $1 == -* ]] && _sallyport_words '--key --live --json --help' "$1" || _sallyport_files "$1" ;;
    *) _sallyport_words 'show list verify --help' "$1" ;;
  esac
}

_sallyport() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local group=${COMP_WORDS[1]-} subcommand=
  ((COMP_CWORD > 2)) && subcommand=${COMP_WORDS[2]}
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _sallyport_words 'run proxy policy audit dlp init attach oci-hook guard --version --help' "$current"
    return
  fi
  if ! { [[ $group == run ]] && _sallyport_command_start >/dev/null; }; then
    _sallyport_value "$previous" "$current" && return
  fi
  case $group in
    run) _sallyport_run "$current" ;;
    attach) _sallyport_words '--pid --netns --policy --allow --audit --env-file --ca-bundle --ca-out --detach --resolve --placeholder --upstream-proxy --no-upstream-proxy --upstream-dns --help' "$current" ;;
    guard) _sallyport_words '--policy --allow --audit --as --ca-bundle --ca-out --detach --resolve --placeholder --upstream-proxy --no-upstream-proxy --upstream-dns --help' "$current" ;;
    init) _sallyport_words '--workspace --variant --agent --image --policy --package --yes --dry-run --force --json --help' "$current" ;;
    oci-hook) _sallyport_words '--audit --ca-bundle --resolve --upstream-proxy --no-upstream-proxy --upstream-dns --help' "$current" ;;
    proxy) _sallyport_words '--listen --listen-tls --policy --allow --allow-clients --proxy-protocol --max-connections --max-connections-per-client --tenants --metrics --head-timeout --keep-alive-timeout --idle-timeout --drain --threads --audit --resolve --placeholder --upstream-proxy --no-upstream-proxy --upstream-dns --ca-bundle --ca-out --help' "$current" ;;
    policy) _sallyport_policy "$current" "$subcommand" ;;
    audit) _sallyport_audit "$current" "$subcommand" ;;
    dlp) _sallyport_dlp "$current" "$subcommand" ;;
  esac
}

complete -F _sallyport sallyport
