import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * Files that a page names but that do not exist. A path starts at the root, at `apiserver/`, or in
 * a folder named earlier in the same paragraph or list item.
 */
function missingFiles(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return text.split(/\n(?=\d+\. |\||#)|\n\n/).flatMap(missingIn)
}

function missingIn(paragraph: string): string[] {
  const folders = [root, join(root, 'apiserver')]
  return [...paragraph.matchAll(/`([\w./-]+)`/g)].flatMap(([, name = '']) => {
    const isFolder = name.endsWith('/')
    if (!isFolder && !/\.(?:ts|cjs|json|sh|md)$/.test(name)) return []
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    if (found === undefined) return [name]
    folders.push(isFolder ? found : dirname(found))
    return []
  })
}

describe('ARCHITECTURE.md', () => {
  it('names only files and folders that exist', () => {
    expect(missingFiles('ARCHITECTURE.md')).to.deep.equal([])
  })

  it('would report a file that does not exist', () => {
    expect(
      missingIn('`endpoints/router.ts`, `handlers/create.ts` and `noSuchFile.ts`'),
    ).to.deep.equal(['noSuchFile.ts'])
  })
})
