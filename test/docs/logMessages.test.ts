import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const call =
  /\blog\.(info|warn|error|debug)\((?:[^()]|\([^()]*\))*?(?:'([^']+)'|"([^"]+)")\s*,?\s*\)/g

/** Level and message of each log call with a constant message. */
function messagesBelow(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(root, folder, name), 'utf8').matchAll(call)])
    .map(([, level, single, double]) => `${level}: ${single ?? double ?? ''}`)
}

describe('docs/operate/log-messages.md', () => {
  const page = readFileSync(join(root, 'docs/operate/log-messages.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (\w+) \| `([^`]+)` \|/gm)]
  const described = new Set(rows.map(([, level, message]) => `${level}: ${message}`))
  const logged = new Set([...messagesBelow('apiserver'), ...messagesBelow('syncer')])

  it('describes every logged message', () => {
    expect(logged.size).to.be.above(15)
    expect([...logged].filter((message) => !described.has(message))).to.deep.equal([])
  })
})
