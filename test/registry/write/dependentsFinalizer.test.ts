import { expect } from 'chai'
import type { DeleteOptions } from '../../../apiserver/registry/write/deleteOptions.ts'
import { withDependentsFinalizer } from '../../../apiserver/registry/write/dependentsFinalizer.ts'
import { thing, thingResource } from '../../support/thing.ts'

type Default = 'orphan' | 'background' | 'unsupported'

interface Case {
  name: string
  before?: string[]
  options?: DeleteOptions
  kindDefault?: Default
  after: string[] | undefined
}

const cases: Case[] = [
  { name: 'nothing asked for', after: undefined },
  { name: 'Background', options: { propagationPolicy: 'Background' }, after: undefined },
  { name: 'Orphan', options: { propagationPolicy: 'Orphan' }, after: ['orphan'] },
  {
    name: 'Foreground stands last',
    before: ['x/y'],
    options: { propagationPolicy: 'Foreground' },
    after: ['x/y', 'foregroundDeletion'],
  },
  { name: 'orphanDependents: true', options: { orphanDependents: true }, after: ['orphan'] },
  {
    name: 'orphanDependents: false takes away what was asked for before',
    before: ['orphan', 'x/y'],
    options: { orphanDependents: false },
    after: ['x/y'],
  },
  {
    name: 'a policy takes the place of another',
    before: ['orphan'],
    options: { propagationPolicy: 'Foreground' },
    after: ['foregroundDeletion'],
  },
  { name: 'what was asked for before stays', before: ['orphan'], after: ['orphan'] },
  {
    name: 'what was asked for before counts more than the default of the kind',
    before: ['foregroundDeletion'],
    kindDefault: 'orphan',
    after: ['foregroundDeletion'],
  },
  { name: 'the default of the kind', kindDefault: 'orphan', after: ['orphan'] },
  {
    name: 'a policy counts more than the default of the kind',
    kindDefault: 'orphan',
    options: { propagationPolicy: 'Background' },
    after: undefined,
  },
  {
    name: 'a kind that is not collected',
    kindDefault: 'unsupported',
    options: { propagationPolicy: 'Foreground' },
    after: undefined,
  },
]

describe('withDependentsFinalizer', () => {
  for (const { name, before, options = {}, kindDefault, after } of cases) {
    it(`${name}: ${after?.join(', ') ?? 'none'} (reference 3.6)`, () => {
      const strategy = kindDefault === undefined ? {} : { deletion: { propagation: kindDefault } }
      const object = thing('a', before === undefined ? {} : { finalizers: before })
      const copy = structuredClone(object)
      const next = withDependentsFinalizer(object, thingResource(strategy), options)
      expect([next.metadata.finalizers, object]).to.deep.equal([after, copy])
    })
  }
})
