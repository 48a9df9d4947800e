import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProgramPackage } from './joinedPackages.ts'

const ruler = '='.repeat(100)

/** Names, versions and licence texts of bundled packages. Equal texts are written once, below all their packages. */
export function licencesOf(packages: readonly ProgramPackage[]): string {
  const byText = new Map<string, string[]>()
  for (const each of packages) {
    const text = licenceText(each)
    byText.set(text, [
      ...(byText.get(text) ?? []),
      `${each.name} ${each.version} (${each.license})`,
    ])
  }
  const parts = [...byText].map(([text, names]) => `${ruler}\n${names.join('\n')}\n\n${text}\n`)
  return `The files in this folder contain code of these packages.\n\n${parts.join('\n')}`
}

function licenceText({ folder, license }: ProgramPackage): string {
  const files = readdirSync(folder).filter((name) =>
    /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name),
  )
  const texts = files.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim())
  if (texts.length > 0) return texts.join('\n\n')
  // Sound: the file of an installed package.
  const { author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    author?: string | { name: string }
    repository?: string | { url: string }
  }
  const holder = typeof author === 'object' ? author.name : author
  const source = typeof repository === 'object' ? repository.url : repository
  return `Licence ${license}, of which the package has no text. Author: ${holder ?? 'not named'}. Source: ${source ?? 'not named'}.`
}
