import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { authSchema } from '../../../apiserver/apis/management/config/auth.ts'
import { namesProfile } from '../../../apiserver/meta/names/namesProfile.ts'
import type { Schema } from '../../../apiserver/meta/schema.ts'

/** Settings of `Config.status.auth`; those of connectors are the settings of the providers. */
function settingsOf(schema: Schema, path: string): string[] {
  if (path === 'config.auth.connectors') return [`${path}.id`, `${path}.displayName`]
  const { properties } = schema
  if (properties === undefined) return [path]
  return Object.entries(properties).flatMap(([name, part]) => settingsOf(part, `${path}.${name}`))
}

describe('login settings', () => {
  // The file belongs to the repository and has this form.
  const rows = JSON.parse(readFileSync('test/fixtures/spec/rows.json', 'utf8')) as {
    rows: Record<string, string>
  }[]
  const ids = rows.flatMap((section) => Object.keys(section.rows))
  const settings = settingsOf(authSchema(namesProfile()), 'config.auth')

  /** Additional settings that are not in the specification. */
  const additions = ['config.auth.preparedAccountsBySubject', 'config.auth.redirectURIs']

  it('are rows of the specification that tests cite', () => {
    expect(settings).to.have.length.greaterThan(70)
    expect(settings.filter((setting) => !ids.includes(setting))).to.deep.equal(additions)
  })

  it('are complete: each row is a setting', () => {
    const known = (id: string) => settings.some((each) => each === id || each.startsWith(`${id}.`))
    const cited = ids.filter((id) => id.startsWith('config.auth.'))
    expect(cited.filter((id) => !known(id))).to.deep.equal([])
  })
})
