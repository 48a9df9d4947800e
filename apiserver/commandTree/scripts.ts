export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** Completion script for a shell, which asks the program for the candidates of each word. */
export function completionScript(shell: Shell, program: string): string {
  const name = program.replaceAll(/\W/g, '_')
  return scripts[shell].replaceAll('PROGRAM', program).replaceAll('FUNCTION', `_${name}_complete`)
}

// The output consists of lines with a value, a tab and a description, and a last line ":4", or ":0"
// for files.
const scripts: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of PROGRAM: source <(PROGRAM completion bash)
FUNCTION() {
  local line current="\${COMP_LINE:0:COMP_POINT}"
  local -a words
  read -ra words <<< "$current"
  [[ "$current" == *' ' ]] && words+=("")
  local last="\${words[\${#words[@]}-1]}" shown="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :0) compopt -o default 2>/dev/null ;;
      :*) ;;
      *)
        line="\${line%%$'\\t'*}"
        # Bash replaces only the part after the last "=".
        [[ "$last" == *=* && "$shown" != *=* ]] && line="\${line#*=}"
        COMPREPLY+=("$line")
        ;;
    esac
  done < <("\${words[0]}" __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F FUNCTION PROGRAM
`,
  zsh: `#compdef PROGRAM
# zsh completion of PROGRAM: source <(PROGRAM completion zsh)
FUNCTION() {
  local line value text
  local -a found
  while IFS= read -r line; do
    case "$line" in
      :0) _files; return ;;
      :*) ;;
      *)
        value="\${line%%$'\\t'*}"
        text="\${line#*$'\\t'}"
        value="\${value//:/\\\\:}"
        [[ "$line" == *$'\\t'* ]] && found+=("$value:$text") || found+=("$value")
        ;;
    esac
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe PROGRAM found
}
compdef FUNCTION PROGRAM
`,
  fish: `# fish completion of PROGRAM: PROGRAM completion fish | source
function FUNCTION
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  $words[1] __complete -- $words[2..-1] "$current" 2>/dev/null | string match -rv '^:'
end
complete -c PROGRAM -f -a '(FUNCTION)'
`,
  powershell: `# PowerShell completion of PROGRAM: PROGRAM completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName 'PROGRAM' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.Extent.Text })
  if ($wordToComplete -eq '') { $words += '""' }
  PROGRAM __complete -- @words 2>$null | Where-Object { $_ -notmatch '^:' } | ForEach-Object {
    $value, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
  }
}
`,
}
