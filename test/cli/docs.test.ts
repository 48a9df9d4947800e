import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { globalFlagsOf } from '../../cli/base/globalFlags.ts'
import type { CommandSpec } from '../../cli/base/commandSpec.ts'
import { allCommands } from '../../cli/tree/allCommands.ts'

/** Command lines of the program in the code blocks of a page. */
function commandLines(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh[^\n]*\n(.*?)^```/gms)].map(([, text = '']) => text)
  return blocks
    .flatMap((block) => block.split('\n'))
    .flatMap((line) => line.replace(/(^|\s)#.*/, '').split(/[|;]|&&|\$\(|<\(/))
    .map((part) =>
      part
        .replace(/^.*xargs -r /, '')
        .replace(/^\W*(eval "|- run: )?/, '')
        .trim(),
    )
    .filter((part) => part.startsWith('platform '))
    .map((part) => part.slice('platform '.length))
}

function commandOf(line: string): CommandSpec | undefined {
  const words = line.split(/\s+/)
  return allCommands.find((command) => {
    const own = command.words.split(' ')
    const last = [own.at(-1), ...(command.aliases ?? [])]
    const isHere = own.slice(0, -1).every((word, index) => word === words[index])
    return isHere && last.includes(words[own.length - 1]?.replace(/\W+$/, ''))
  })
}

for (const page of ['docs/start/cli.md', 'docs/start/quickstart.md', 'README.md'])
  describe(`commands in ${page}`, () => {
    const lines = [...new Set(commandLines(readFileSync(page, 'utf8')))]

    it('are there', () => {
      expect(lines.length).to.be.greaterThan(3)
    })

    for (const line of lines)
      it(`${line} exists, with its flags`, () => {
        const command = commandOf(line)
        if (line.startsWith('man ') || line.startsWith('--')) return
        const known = [...(command?.flags ?? []), ...(command ? globalFlagsOf(command) : [])]
        const names = known.flatMap(
          ({ flags }) => flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [],
        )
        const given = line.match(/(?<=\s)--?[a-zA-Z][\w-]*/g) ?? []
        expect([
          command?.words === undefined,
          given.filter((flag) => !names.includes(flag)),
        ]).to.deep.equal([false, []])
      })
  })
