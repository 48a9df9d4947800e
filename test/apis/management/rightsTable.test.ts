import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { rightsTable } from '../../../apiserver/apis/management/rightsTable.ts'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import { objectSchema } from '../../../apiserver/registry/schema/canonicalForm.ts'
import type { ResourceDefinition } from '../../../apiserver/registry/resource.ts'
import { managementKinds } from '../../support/kinds/managementKinds.ts'
import {
  harmlessFields,
  harmlessNames,
  metadataReasons,
} from '../../support/tables/harmlessFields.ts'

/**
 * Completeness of the guards: every field that leads to another user's rights has a guard,
 * including new fields.
 */
describe('rightsTable', () => {
  const kinds = managementKinds()
  const stored = kinds.filter(({ answers }) => answers === undefined)

  const below = (schema: Schema | undefined, prefix: string) =>
    Object.keys(schema?.properties ?? {}).map((name) => prefix + name)
  const envelope = ['kind', 'apiVersion', 'metadata', 'spec', 'status']
  const fieldsOf = ({ schema }: ResourceDefinition): string[] => [
    ...below(schema.properties?.['spec'], 'spec.'),
    ...below(schema.properties?.['status'], 'status.'),
    ...Object.keys(schema.properties ?? {}).filter((name) => !envelope.includes(name)),
  ]
  const isKnown = (plural: string, field: string): boolean =>
    [
      rightsTable[plural]?.[field],
      harmlessFields[`${plural} ${field}`],
      harmlessFields[field],
    ].some((found) => found !== undefined)

  it('has every stored field of every kind, or a reason why it needs no guard', () => {
    expect(stored).to.have.length.greaterThan(10)
    const unknown = stored.flatMap((kind) =>
      fieldsOf(kind)
        .filter((field) => !isKnown(kind.plural, field))
        .map((field) => `${kind.plural} ${field}`),
    )
    expect(unknown).to.deep.equal([])
  })

  it('has every field of a user profile', () => {
    const users = stored.find(({ plural }) => plural === 'users')
    const profile = users?.subresources?.find(({ name }) => name === 'profile')
    const schema = profile !== undefined && 'resource' in profile ? profile.resource.schema : {}
    const unknown = below(schema, '').filter(
      (field) => !envelope.includes(field) && !isKnown('users/profile', field),
    )
    expect(unknown).to.deep.equal([])
  })

  it('has a reason for every field of metadata', () => {
    const fields = Object.keys(
      objectSchema({ type: 'object' }).properties?.['metadata']?.properties ?? {},
    )
    expect(fields).to.include('annotations')
    expect(fields.filter((field) => metadataReasons[field] === undefined)).to.deep.equal([])
  })

  it('names no unknown field', () => {
    const known = new Map(stored.map((kind) => [kind.plural, fieldsOf(kind)]))
    const gone = Object.entries(rightsTable).flatMap(([plural, routes]) =>
      Object.keys(routes).filter(
        (field) => /^(spec|status)\./.test(field) && known.get(plural)?.includes(field) !== true,
      ),
    )
    expect(gone).to.deep.equal([])
  })

  it('has every platform annotation and label that the server reads', () => {
    const files = readdirSync('apiserver', { recursive: true, encoding: 'utf8' })
    const names = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join('apiserver', file), 'utf8').matchAll(
          /omain\}\/([a-z][a-z0-9-]*)[`']/g,
        ),
      ])
      .map(([, name = '']) => name)
    expect(names).to.include.members(['sso-identity', 'ingress-suffix', 'email-origin'])
    const guarded = Object.values(rightsTable).flatMap((routes) =>
      Object.keys(routes).map((path) => path.replace(/^(annotations|labels)\./, '')),
    )
    const unknown = names.filter(
      (name) => !guarded.includes(name) && harmlessNames[name] === undefined,
    )
    expect([...new Set(unknown)]).to.deep.equal([])
  })
})
