/** Scripts that let a shell ask this program what may stand next. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_clew() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(clew __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _clew clew
`,
  zsh: `#compdef clew
_clew() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(clew __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe 'clew' found
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = "_clew" ]; then
  _clew "$@"
else
  compdef _clew clew
fi
`,
  fish: `function __clew_complete
  set -l words (commandline -opc) (commandline -ct)
  clew __complete $words[2..-1] 2>/dev/null
end
complete -c clew -f -a '(__clew_complete)'
complete -c clew -n 'not count (__clew_complete) >/dev/null' -F
`,
};
