import { expect } from 'chai'
import { parseJsonPath } from '../../apiserver/customResources/jsonPath.ts'

const object = {
  metadata: { labels: { 'app.kubernetes.io/name': 'web' } },
  spec: { replicas: 3, hosts: ['a', 'b', 'c'], servers: [{ port: 1 }, { port: 2 }] },
  status: {
    conditions: [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: 'True', isLast: true },
    ],
  },
}

describe('parseJsonPath', () => {
  const cases = [
    { path: '.spec.replicas', found: [3] },
    { path: '$.spec.replicas', found: [3] },
    { path: '.spec.none.deeper', found: [] },
    { path: '.spec.hosts[0]', found: ['a'] },
    { path: '.spec.hosts[-1]', found: ['c'] },
    { path: '.spec.hosts[9]', found: [] },
    { path: '.spec.hosts[0:2]', found: ['a', 'b'] },
    { path: '.spec.hosts[*]', found: ['a', 'b', 'c'] },
    { path: '.spec.servers[*].port', found: [1, 2] },
    { path: '.spec.servers[?(@.port>1)].port', found: [2] },
    { path: '.status.conditions[?(@.type=="Ready")].status', found: ['True'] },
    { path: ".status.conditions[?(@.type == 'Synced')].status", found: ['False'] },
    { path: '.status.conditions[?(@.isLast)].type', found: ['Ready'] },
    { path: '.status.conditions[?(@.isLast==true)].type', found: ['Ready'] },
    { path: '.metadata.labels.app\\.kubernetes\\.io/name', found: ['web'] },
    { path: ".metadata.labels['app.kubernetes.io/name']", found: ['web'] },
    { path: '..port', found: [1, 2] },
    { path: '.', found: [object] },
  ]
  for (const { path, found } of cases) {
    it(path, () => {
      expect(parseJsonPath(path)?.find(object)).to.deep.equal(found)
    })
  }

  for (const path of ['.spec[', '.spec[?(@.a~"b")]', '.spec.hosts[x]', '.a..[b']) {
    it(`refuses ${path}`, () => {
      expect(parseJsonPath(path)).to.equal(undefined)
    })
  }
})
