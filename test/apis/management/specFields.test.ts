import { oneServer } from '../../support/servers/oneServer.ts'
import { expect } from 'chai'
import {
  defaultNames,
  namesProfile,
  type NamesProfile,
} from '../../../apiserver/meta/names/namesProfile.ts'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import { openManagementPlane } from '../../../apiserver/platform/managementPlane.ts'
import { serverOptions } from '../../../apiserver/runtime/options/serverOptions.ts'
import { LevelStorage } from '../../../apiserver/storage/level/levelStorage.ts'
import { objectSchema } from '../../../apiserver/registry/schema/canonicalForm.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'
import { specFields, specKinds, type SpecField } from '../../support/tables/specFields.ts'
import { bareDefinitions } from '../../support/kinds/bareDefinitions.ts'

/** Resolved contradictions between the specification and the platform: fields of the additions. */
const settled: Readonly<Record<string, string>> = { 'status.conditions': 'object[]' }

/** Each kind with its row. */
const kinds: readonly [string, string][] = [
  ['SharedSecret', 'every field in its type (spec fields.SharedSecret)'],
  ['User', 'every field in its type (spec fields.User)'],
  ['OwnedAccessKey', 'every field in its type (spec fields.OwnedAccessKey)'],
  [
    'DirectClusterEndpointToken',
    'every field in its type (spec fields.DirectClusterEndpointToken)',
  ],
  [
    'VirtualClusterInstanceKubeConfig',
    'every field in its type (spec fields.VirtualClusterInstanceKubeConfig)',
  ],
  ['Config', 'every field in its type (spec fields.Config)'],
]

const profiles: { name: string; names: NamesProfile }[] = [
  { name: 'the default names', names: defaultNames },
  {
    name: 'other names',
    names: namesProfile({
      ...{ platform: 'acme', domain: 'acme.dev', workspaceTool: 'bench', gitHostA: 'forge' },
      ...{ gitHostB: 'anvil', identityA: 'passport', identityB: 'badge' },
      ...{ clusterManager: 'harbour', secretStore: 'locker', costTool: 'meter' },
    }),
  },
]

/** Schema of each served kind, including those of subresources. */
async function schemas(names: NamesProfile): Promise<Map<string, Schema>> {
  const clock = new FakeClock()
  const storage = await LevelStorage.open({ location: undefined, clock })
  const build = { serverVersion: '', gitCommit: '', buildDate: '', platform: '', runtime: '' }
  const management = await openManagementPlane({
    options: serverOptions({ names, storage: 'memory' }),
    storage,
    ...oneServer,
    clock,
    random: new FakeRandom(),
    report: (error) => {
      throw error
    },
    documents: {
      build,
      definitions: bareDefinitions,
      serveServerPath: async () => false,
      serverPaths: [],
    },
  })
  const resources = management.plane.resources.all()
  const spoken = resources.flatMap(({ subresources = [] }) =>
    subresources.flatMap((subresource) =>
      'resource' in subresource ? [subresource.resource] : [],
    ),
  )
  management.close()
  await storage.close()
  return new Map([...spoken, ...resources].map(({ kind, schema }) => [kind, objectSchema(schema)]))
}

/** Field of a schema at a path of the fixture. */
function fieldAt(schema: Schema | undefined, path: string): Schema | undefined {
  return path.split('.').reduce<Schema | undefined>((parent, step) => {
    const isEntry = step.endsWith('[]')
    const field = parent?.properties?.[isEntry ? step.slice(0, -2) : step]
    return isEntry ? field?.items : field
  }, schema)
}

/** Type in the words of the specification. */
function specType(schema: Schema | undefined): string {
  if (schema === undefined) return 'no such field'
  const { type = 'any', format, items, additionalProperties: values } = schema
  if (format === 'date-time') return 'time'
  if (type === 'array') return `${specType(items)}[]`
  if (values === undefined) return type
  return values.type === 'string' ? 'map string to string' : 'map'
}

function wrongFields(schema: Schema | undefined, fields: SpecField[]): string[] {
  return fields.flatMap(({ path, type }) => {
    const found = specType(fieldAt(schema, path))
    const wanted = settled[path] ?? type
    const isRight = found === wanted || (wanted === 'map' && found.startsWith('map'))
    return isRight ? [] : [`${path}: ${found}, not ${wanted}`]
  })
}

/** Paths of fields without a description. */
function undescribed(schema: Schema, prefix = ''): string[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const own = (field.description ?? '') === '' ? [path] : []
    return [...own, ...undescribed(field, `${path}.`)]
  })
  return schema.items === undefined ? below : [...below, ...undescribed(schema.items, prefix)]
}

for (const { name, names } of profiles) {
  describe(`the fields of the specification, with ${name}`, () => {
    let found: Map<string, Schema>
    before(async () => {
      found = await schemas(names)
    })

    it('conditions are a list (spec secret.status.conditions)', () => {
      const conditions = fieldAt(found.get('SharedSecret'), 'status.conditions')
      expect(specType(conditions)).to.equal('object[]')
    })

    it('belong to kinds that are all served', () => {
      expect(kinds.map(([kind]) => kind)).to.deep.equal(specKinds)
    })

    for (const [kind, title] of kinds) {
      it(title, () => {
        expect(wrongFields(found.get(kind), specFields(kind, 'kinds', names))).to.deep.equal([])
      })

      it(`${kind} has the common fields of every kind (spec fields.envelope)`, () => {
        expect(wrongFields(found.get(kind), specFields(kind, 'envelope', names))).to.deep.equal([])
      })

      it(`${kind} has the fields that the specification leaves open`, () => {
        expect(wrongFields(found.get(kind), specFields(kind, 'additions', names))).to.deep.equal([])
      })

      it(`every field of ${kind} is described`, () => {
        const { spec, status } = found.get(kind)?.properties ?? {}
        const parts = { properties: { ...(spec && { spec }), ...(status && { status }) } }
        expect(undescribed(parts)).to.deep.equal([])
      })
    }
  })
}
