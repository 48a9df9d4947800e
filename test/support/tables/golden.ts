import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'

const directory = join(import.meta.dirname, '../../golden')

/**
 * Compares `value` as indented JSON with the file `test/golden/<name>`. `UPDATE_GOLDEN=1` writes
 * the file instead; read it before you commit it.
 */
export function expectGolden(name: string, value: unknown): void {
  const file = join(directory, name)
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  expect(existsSync(file), `${file} is missing: run with UPDATE_GOLDEN=1`).to.equal(true)
  expect(text).to.equal(readFileSync(file, 'utf8'))
}
