import { expect } from 'chai'
import { findOnPath } from '../conformance/support/kubectlBinaries.ts'
import { runProgram } from './support/client.ts'
import { useClientServer } from './support/clientServer.ts'

interface Shell {
  program: string
  args: (script: string) => string[]
  /** Loads the completion, and prints the candidates of each line. */
  script: (lines: readonly string[]) => string
}

/** Quotes words for any of these shells; the lines contain no quotes. */
const quoted = (line: string) => `'${line}'`

const shells: readonly Shell[] = [
  {
    program: 'bash',
    args: (script) => ['--norc', '-c', script],
    script: (lines) => `source <(platform completion bash)
complete_line() {
  COMP_LINE="$1" COMP_POINT=\${#1}; read -ra COMP_WORDS <<< "$1"
  [[ "$1" == *' ' ]] && COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _platform_complete platform "" ""; printf '%s\\n' "\${COMPREPLY[@]}"; echo .
}
${lines.map((line) => `complete_line ${quoted(line)}`).join('\n')}
`,
  },
  {
    program: 'fish',
    args: (script) => ['--no-config', '-c', script],
    script: (lines) => `platform completion fish | source
${lines.map((line) => `complete -C ${quoted(line)} | string replace -r '\\t.*' ''; echo .`).join('\n')}
`,
  },
  {
    program: 'zsh',
    args: (script) => ['-f', '-c', script],
    // The completion system needs a terminal, so its two functions are replaced by functions that
    // print.
    script: (
      lines,
    ) => `compdef() { [[ "$*" == "_platform_complete platform" ]] || echo "compdef $*" }
_files() { echo files }
_describe() {
  local -a all; all=("\${(@P)2}")
  local each
  for each in "\${all[@]}"; do print -r -- "\${\${each//\\\\:/;}%%:*}"; done
}
source <(platform completion zsh)
complete_line() {
  local -a words; words=("\${(@s/ /)1}")
  local CURRENT=\${#words}
  _platform_complete; echo .
}
${lines.map((line) => `complete_line ${quoted(line)}`).join('\n')}
`,
  },
  {
    program: 'pwsh',
    args: (script) => ['-NoProfile', '-NonInteractive', '-Command', script],
    script: (lines) => `platform completion powershell | Out-String | Invoke-Expression
${lines.map((line) => `(TabExpansion2 -inputScript ${quoted(line)} -cursorColumn ${line.length}).CompletionMatches.CompletionText; '.'`).join('\n')}
`,
  },
]

const lines: readonly (readonly [line: string, candidates: string])[] = [
  ['platform get project ', 'alpha beta'],
  ['platform get project b', 'beta'],
  ['platform use v', 'virtualcluster'],
  ['platform list secrets --project=a', '--project=alpha'],
  ['platform completion p', 'powershell'],
  ['platform nothing ', ''],
]

describe('completion', function () {
  this.timeout(60_000)
  const server = useClientServer()
  before(async () => {
    for (const name of ['alpha', 'beta']) await server().client.ok(['create', 'project', name])
  })

  for (const { program, args, script } of shells) {
    const found = findOnPath(program)
    const reason = found === undefined ? ' (it is not installed here)' : ''
    const test = found === undefined ? it.skip : it
    test(`works in ${program}${reason}`, async () => {
      const env = { ...(await server().client.environment()), TERM: 'dumb' }
      const given = script(lines.map(([line]) => line))
      const { stdout, stderr } = await runProgram(found ?? '', args(given), { env })
      const answers = stdout
        .replaceAll('\r', '')
        .split(/^\.\n/m)
        .slice(0, -1)
        .map((text) =>
          text
            .split('\n')
            .filter((word) => word !== '')
            .sort()
            .join(' '),
        )
      expect([answers, stderr]).to.deep.equal([lines.map(([, candidates]) => candidates), ''])
    })
  }
})
