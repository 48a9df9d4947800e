import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manualPages } from '../../../apiserver/commandTree/manual.ts'
import type { Call } from '../../base/commandSpec.ts'
import { CliError, exitCodes } from '../../base/cliError.ts'
import { programVersion } from '../../base/program.ts'
import { clientManual } from '../../help/clientManual.ts'

/** Prints a manual page, or writes all of them to a folder. */
export async function manual({ args, flags, program, commands, terminal }: Call): Promise<void> {
  const pages = manualPages(clientManual(commands, program.name, programVersion()))
  const folder = flags.string('out')
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true })
    for (const { file, text } of pages) await writeFile(join(folder, file), text)
    return terminal.say(`Wrote ${pages.length} pages to ${folder}.`)
  }
  const title = [program.name, ...args].join('-')
  const page = pages.find(({ file }) => file === `${title}.1`)
  if (page === undefined) {
    const hint = 'Give the words of a command, such as "$program man create accesskey".'
    throw new CliError(`there is no page "${title}"`, { code: exitCodes.notFound, hint })
  }
  await terminal.out(page.text)
}
