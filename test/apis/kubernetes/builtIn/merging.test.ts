import { expect } from 'chai'
import { applyStrategicMergePatch } from '../../../../apiserver/patch/strategicMergePatch.ts'
import { objectSchema } from '../../../../apiserver/registry/schema/canonicalForm.ts'
import { BuiltInKinds } from '../../../support/builtInKinds.ts'

interface Case {
  name: string
  kind: string
  spec: Record<string, unknown>
  patch: Record<string, unknown>
  merged: Record<string, unknown>
}

const template = (containers: unknown[], rest: object = {}) => ({
  template: { spec: { containers, ...rest } },
})

const cases: Case[] = [
  {
    name: 'containers by name, environment by name, ports by number',
    kind: 'Deployment',
    spec: template([
      {
        name: 'c',
        image: 'i:1',
        env: [{ name: 'A', value: 'a' }],
        ports: [{ containerPort: 80, name: 'web' }],
        args: ['x'],
      },
    ]),
    patch: template([
      {
        name: 'c',
        env: [{ name: 'B', value: 'b' }],
        ports: [{ containerPort: 80, protocol: 'UDP' }],
        args: ['y'],
      },
      { name: 'd', image: 'i:2' },
    ]),
    merged: template([
      {
        name: 'c',
        image: 'i:1',
        env: [
          { name: 'B', value: 'b' },
          { name: 'A', value: 'a' },
        ],
        ports: [{ containerPort: 80, name: 'web', protocol: 'UDP' }],
        args: ['y'],
      },
      { name: 'd', image: 'i:2' },
    ]),
  },
  {
    name: 'a volume keeps what its $retainKeys names',
    kind: 'StatefulSet',
    spec: template([], { volumes: [{ name: 'v', emptyDir: {} }] }),
    patch: template([], {
      volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'm' } }],
    }),
    merged: template([], { volumes: [{ name: 'v', configMap: { name: 'm' } }] }),
  },
  {
    name: 'tolerations as one piece',
    kind: 'DaemonSet',
    spec: template([], { tolerations: [{ key: 'a' }] }),
    patch: template([], { tolerations: [{ key: 'b' }] }),
    merged: template([], { tolerations: [{ key: 'b' }] }),
  },
]

describe('strategic merge patches of built-in kinds', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  for (const { name, kind, spec, patch, merged } of cases) {
    it(`${kind}: ${name}`, () => {
      const schema = objectSchema(kinds.resource(kind).schema)
      expect(applyStrategicMergePatch({ spec }, { spec: patch }, schema)).to.deep.equal({
        spec: merged,
      })
    })
  }
})
