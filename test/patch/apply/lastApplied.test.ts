import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { LiveWidget, widget } from './widget.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** Object as client-side apply stores it. */
function clientSide(config: ApiObject, spec: unknown = config['spec']): ApiObject {
  const annotations = { [annotation]: JSON.stringify(config) }
  return { ...config, metadata: { ...config.metadata, annotations }, spec }
}

function annotationOf(live: LiveWidget): string | undefined {
  return live.live?.metadata.annotations?.[annotation]
}

describe('migration from client-side apply (reference 3.11)', () => {
  const config = widget({ replicas: 1, name: 'a<b' })

  it('lets kubectl change its own fields, and updates the annotation', () => {
    const live = new LiveWidget()
      .update('kubectl-client-side-apply', clientSide(config))
      .apply('kubectl', widget({ name: 'c<d', replicas: 2 }))
    expect(live.spec).to.deep.equal({ replicas: 2, name: 'c<d' })
    expect(annotationOf(live)).to.equal(
      '{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"w","namespace":"ns"},' +
        '"spec":{"name":"c\\u003cd","replicas":2}}\n',
    )
  })

  it('omits the annotation from its own content', () => {
    const live = new LiveWidget()
      .update('kubectl-client-side-apply', clientSide(config))
      .apply('kubectl', clientSide(config), { force: true })
    expect(JSON.parse(annotationOf(live) ?? '')).to.deep.equal({
      ...config,
      metadata: { ...config.metadata, annotations: {} },
    })
  })

  it('removes the annotation if it would be too large', () => {
    const live = new LiveWidget()
      .update('kubectl-client-side-apply', clientSide(config))
      .apply('kubectl', widget({ replicas: 1, name: 'x'.repeat(262144) }))
    expect(live.live?.metadata.annotations).to.deep.equal({})
  })

  const conflict = (name: string) => `Apply failed with 1 conflict: conflict with "${name}"`

  it('still conflicts over fields changed by others since', () => {
    const live = new LiveWidget()
      .update('csa', clientSide(config))
      .update('u', clientSide(config, { replicas: 7, name: 'a<b' }))
    expect(() => live.apply('kubectl', widget({ replicas: 2, name: 'z' }))).to.throw(
      `${conflict('u')} using example.dev/v1: .spec.replicas`,
    )
  })

  it('applies to the manager kubectl only', () => {
    const live = new LiveWidget().update('csa', clientSide(config))
    const text = annotationOf(live)
    expect(() => live.apply('other', widget({ replicas: 2 }))).to.throw(conflict('csa'))
    live.apply('other', widget({ replicas: 2 }), { force: true })
    expect(annotationOf(live)).to.equal(text)
  })

  const unreadable: [string, string][] = [
    ['no JSON', '{'],
    ['no object', '1'],
    ['no kind', '{"apiVersion":"example.dev/v1"}'],
    ['another version', JSON.stringify({ ...config, apiVersion: 'example.dev/v0' })],
    ['an unknown field', JSON.stringify({ ...config, foo: 1 })],
  ]
  for (const [name, text] of unreadable) {
    it(`ignores an annotation that holds ${name}`, () => {
      const next = clientSide(config)
      const metadata = { ...next.metadata, annotations: { [annotation]: text } }
      const live = new LiveWidget().update('csa', { ...next, metadata })
      expect(() => live.apply('kubectl', widget({ replicas: 2 }))).to.throw(conflict('csa'))
    })
  }

  it('accepts an entry that kubectl itself converted to Apply', () => {
    const live = new LiveWidget().update('kubectl-client-side-apply', clientSide(config))
    const managedFields = live.entries.map((entry) => ({
      ...entry,
      manager: 'kubectl',
      operation: 'Apply',
    }))
    const next = clientSide(config)
    live.update('kubectl', { ...next, metadata: { ...next.metadata, managedFields } })
    expect(live.apply('kubectl', widget({ replicas: 1 })).spec).to.deep.equal({ replicas: 1 })
  })
})
