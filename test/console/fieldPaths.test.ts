import { expect } from 'chai'
import { fieldPaths } from '../../console/details/fieldPaths.ts'
import { labelChanges } from '../../console/tables/labelChanges.ts'

describe('fieldPaths', () => {
  it('lists fields by name, items by their keys and members of sets by their values', () => {
    const fields = {
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} }, 'f:finalizers': { 'v:"a/b"': {} } },
      'f:spec': {
        'f:replicas': {},
        'f:containers': {
          'k:{"name":"web"}': { '.': {}, 'f:image': {} },
          'k:{"containerPort":80,"protocol":"TCP"}': { '.': {} },
          'i:0': {},
          'k:broken': {},
        },
      },
    }
    expect(fieldPaths(fields)).to.deep.equal([
      'metadata.labels.app',
      'metadata.finalizers[="a/b"]',
      'spec.replicas',
      'spec.containers[name=web].image',
      'spec.containers[containerPort=80,protocol=TCP]',
      'spec.containers[0]',
      'spec.containers[broken]',
    ])
    expect(fieldPaths({})).to.deep.equal([])
  })
})

describe('labelChanges', () => {
  for (const { text, want } of [
    { text: ' app=web \n\nexample.com/tier-\n', want: { app: 'web', 'example.com/tier': null } },
    { text: 'empty=', want: { empty: '' } },
    { text: '', want: undefined },
    { text: 'app=web\nno label', want: undefined },
    { text: '__proto__=x', want: JSON.parse('{"__proto__":"x"}') as object },
  ])
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(JSON.stringify(labelChanges(text))).to.equal(JSON.stringify(want))
    })
})
