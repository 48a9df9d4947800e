import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { commandShapes } from '../../apiserver/command/config/commandShapes.ts'
import { settings } from '../../apiserver/command/config/settings.ts'
import { UsageError } from '../../apiserver/command/config/usageError.ts'
import { completions, manualPage, shellScript } from '../../apiserver/command/shellCommands.ts'
import { shells, type Shell } from '../../apiserver/commandTree/scripts.ts'
import { findOnPath } from '../conformance/support/kubectlBinaries.ts'
import { skip } from '../support/skip.ts'

const linesOf = (...words: string[]) =>
  completions(['--', ...words])
    .trimEnd()
    .split('\n')
const valuesOf = (...words: string[]) => linesOf(...words).map((line) => line.split('\t')[0])

describe('completion of platform-apiserver', () => {
  for (const [words, values] of [
    [['s'], ['serve', 'sync', 'storage', ':4']],
    [
      ['storage', ''],
      ['migrate', ':4'],
    ],
    [
      ['sync', ''],
      ['explain', ':4'],
    ],
    [
      ['sync', 'explain', '--name'],
      ['--name', '--names-domain', ':4'],
    ],
    [
      ['serve', '--sto'],
      ['--storage', ':4'],
    ],
    [
      ['serve', '--storage', ''],
      ['level', 'memory', 'etcd', ':4'],
    ],
    [
      ['serve', '--storage=m'],
      ['--storage=memory', ':4'],
    ],
    [
      ['serve', '--profiling=t'],
      ['--profiling=true', ':4'],
    ],
    [
      ['serve', '--profiling', '--data-d'],
      ['--data-dir', ':4'],
    ],
    [['serve', '--config', ''], [':0']],
    [
      ['verify', '--'],
      ['--from', '--data-dir', '--help', ':4'],
    ],
    [
      ['doctor', '--output', 'j'],
      ['json', ':4'],
    ],
    [
      ['completion', 'z'],
      ['zsh', ':4'],
    ],
    [['nothing', ''], [':4']],
  ] as const)
    it(`offers ${values.length - 1} for "${words.join(' ')}"`, () => {
      expect(valuesOf(...words)).to.deep.equal(values)
    })

  it('offers every flag of serve with its description', () => {
    const lines = linesOf('serve', '--')
    for (const { flag, description } of settings)
      expect(lines).to.include(`--${flag}\t${description}`)
  })

  describe('scripts', function () {
    this.timeout(60_000)
    let folder: string
    let asked: string

    /** Program in place of the server's, which records its arguments and prints two candidates. */
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'completion-'))
      asked = join(folder, 'asked')
      const program = join(folder, 'platform-apiserver')
      writeFileSync(
        program,
        `#!/bin/sh\nprintf '<%s>' "$@" > ${asked}\nprintf -- '--data-dir\\tFolder: all objects\\n--debug\\n:4\\n'\n`,
      )
      chmodSync(program, 0o755)
    })
    after(() => rmSync(folder, { recursive: true }))

    const line = 'platform-apiserver serve --d'
    const runs: Partial<Record<Shell, { args: string[]; out: string }>> = {
      bash: {
        args: [
          ...['--norc', '-c'],
          `source "$1"; COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(${line}) COMP_CWORD=2
          _platform_apiserver_complete platform-apiserver; echo "\${COMPREPLY[@]}"`,
          'bash',
        ],
        out: '--data-dir --debug\n',
      },
      zsh: {
        args: [
          ...['-f', '-c'],
          `compdef() { :; }; _describe() { print -l -- "\${(@P)2}"; }; source "$1"
          words=(${line}); CURRENT=3; _platform_apiserver_complete`,
          'zsh',
        ],
        out: '--data-dir:Folder: all objects\n--debug\n',
      },
      fish: {
        args: ['--no-config', '-c', `source $argv[1]; complete -C '${line}'`],
        out: '--data-dir\tFolder: all objects\n--debug\n',
      },
    }
    for (const shell of shells)
      it(`${shell}: asks the program for the words so far, and offers what it answers`, function () {
        const run = runs[shell]
        const found = run && findOnPath(shell)
        if (run === undefined || found === undefined) skip(this, `${shell} not found`)
        const script = join(folder, `script.${shell}`)
        writeFileSync(script, shellScript([shell]))
        const env = { HOME: folder, PATH: [folder, process.env['PATH']].join(delimiter) }
        const { stdout, stderr } = spawnSync(found, [...run.args, script], {
          env,
          encoding: 'utf8',
        })
        expect([stderr, stdout]).to.deep.equal(['', run.out])
        expect(readFileSync(asked, 'utf8')).to.equal('<__complete><--><serve><--d>')
      })

    it('there is no script for other shells', () => {
      expect(() => shellScript(['tcsh'])).to.throw(
        UsageError,
        'completion takes the name of a shell',
      )
    })
  })
})

describe('manual pages of platform-apiserver', function () {
  this.timeout(60_000)

  it('name every command, every flag and every variable', () => {
    const text = manualPage([])
    for (const { words } of commandShapes) expect(text).to.contain(words.replace(' ', '\\-'))
    for (const { env } of settings) expect(text).to.contain(`\\fB${env}\\fR`)
    const serve = manualPage(['serve'])
    for (const { flag } of settings)
      expect(serve).to.contain(`\\fB\\-\\-${flag.replaceAll('-', '\\-')}`)
  })

  it('are formatted by groff without a warning', function () {
    const groff = findOnPath('groff')
    if (groff === undefined) skip(this, 'groff not found')
    for (const words of [[], ...commandShapes.map((each) => each.words.split(' '))]) {
      const input = manualPage(words)
      const { stderr, status } = spawnSync(groff, ['-Kutf8', '-man', '-Tutf8', '-ww'], {
        input,
        encoding: 'utf8',
      })
      expect([words, status, stderr]).to.deep.equal([words, 0, ''])
    }
  })

  it('there is no page for an unknown command', () => {
    expect(() => manualPage(['nothing'])).to.throw(
      UsageError,
      'there is no manual page of "nothing"',
    )
  })
})
