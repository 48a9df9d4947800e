import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Markdown file of the repository. */
export interface Page {
  /** Path from the root of the repository, with slashes. */
  file: string
  text: string
}

const folders = ['docs', 'examples']

/** All pages: those of the root, and all below `docs/` and `examples/`, sorted by path. */
export function readPages(root: string): Page[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'))
  const files = [...top, ...folders.flatMap((folder) => markdownBelow(root, folder))]
  return files.sort().map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

function markdownBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : markdownBelow(root, path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}
