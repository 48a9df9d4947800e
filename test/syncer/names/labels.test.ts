import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { hostLabels, hostSelector, virtualLabels } from '../../../syncer/names/labels.ts'
import { hostLabelKey, markers, virtualLabelKey } from '../../../syncer/names/markers.ts'

const marks = markers('platform')
const a = (count: number) => 'a'.repeat(count)
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10)

describe('hostLabelKey', () => {
  const cases: [key: string, virtualCluster: string, want: string][] = [
    ['release', 'my-vcluster', 'vcluster.platform/label-my-vcluster-x-a4d451ec23'],
    ['release', 'vcluster', 'vcluster.platform/label-vcluster-x-a4d451ec23'],
    ['release', a(26), `vcluster.platform/label-${a(26)}-x-a4d451ec23`],
    [
      'release',
      a(27),
      `vcluster.platform/label-${a(27)}-x-a4d451ec23`.slice(0, 52) +
        `-${digest(`vcluster.platform/label-${a(27)}-x-a4d451ec23`)}`,
    ],
    ...['namespace', 'managed-by', 'controlled-by'].map((name): [string, string, string] => [
      `vcluster.platform/${name}`,
      'vc',
      `vcluster.platform/label-vc-x-${digest(`vcluster.platform/${name}`)}`,
    ]),
    ['app', 'vc', 'app'],
    ['app.kubernetes.io/name', 'vc', 'app.kubernetes.io/name'],
  ]
  for (const [key, virtualCluster, want] of cases) {
    it(`${key} of ${virtualCluster} is ${want}, and back (facts 6.8)`, () => {
      expect(hostLabelKey(key, virtualCluster, marks)).to.equal(want)
      expect(virtualLabelKey(want, virtualCluster, marks)).to.equal(key)
    })
  }

  it('a long domain is kept whole', () => {
    const long = markers(`${a(60)}.example`)
    const key = hostLabelKey('release', 'vc', long)
    expect(key).to.equal(`vcluster.${a(60)}.example/label-vc-x-a4d451ec23`)
  })
})

describe('labels of copies', () => {
  it('labels that look translated are not copied to the host (facts 6.8)', () => {
    const labels = {
      app: 'db',
      'vcluster.platform/label-vc-x-0000000000': 'x',
      'vcluster.platform/ns-label-vc-x-cf1227b7b2': 'y',
    }
    expect(hostLabels(labels, 'vc', marks)).to.deep.equal({ app: 'db' })
  })

  it('markers are not copied back, and translated keys are restored (facts 6.8)', () => {
    const labels = {
      app: 'db',
      'vcluster.platform/label-vc-x-a4d451ec23': 'one',
      'vcluster.platform/managed-by': 'vc',
      'vcluster.platform/namespace': 'default',
      'vcluster.platform/controlled-by': 'other',
      'vcluster.platform/ns-label-vc-x-cf1227b7b2': 'y',
    }
    expect(virtualLabels(labels, 'vc', marks)).to.deep.equal({ app: 'db', release: 'one' })
  })

  it('selectors get the markers (facts 6.10)', () => {
    const of = { virtualCluster: 'vc', namespace: 'default' }
    expect(hostSelector({ release: 'one' }, of, marks)).to.deep.equal({
      'vcluster.platform/label-vc-x-a4d451ec23': 'one',
      'vcluster.platform/managed-by': 'vc',
      'vcluster.platform/namespace': 'default',
    })
  })
})
