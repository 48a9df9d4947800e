/** Builds the pages into a folder: `site.ts DIR`. */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deadLinks } from './deadLinks.ts'
import { navigation } from './site/navigation.ts'
import { readPages } from './pages.ts'
import { addressOf, renderPage } from './site/renderPage.ts'
import { style } from './site/style.ts'

const root = join(import.meta.dirname, '../..')
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('site.ts DIR: the folder is missing')

const pages = readPages(root)
const dead = deadLinks(root, pages)
if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`)

rmSync(folder, { recursive: true, force: true })
const sections = navigation(pages)
for (const page of pages) {
  const file = join(folder, addressOf(page.file))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, renderPage(page, { sections, pages }))
}
writeFileSync(join(folder, 'style.css'), style)
const images = join(root, 'docs/images')
if (existsSync(images)) cpSync(images, join(folder, 'docs/images'), { recursive: true })
process.stdout.write(`${folder}: ${pages.length} pages\n`)
