import { expect } from 'chai'
import { namedTarget } from '../../../../../apiserver/apis/kubernetes/core/proxy/namedTarget.ts'

describe('namedTarget', () => {
  const named = [
    ['web', { scheme: '', name: 'web', port: '' }],
    ['web:8080', { scheme: '', name: 'web', port: '8080' }],
    ['https:web:main', { scheme: 'https', name: 'web', port: 'main' }],
    ['http:web:', { scheme: 'http', name: 'web', port: '' }],
    [':web:1', { scheme: '', name: 'web', port: '1' }],
  ] as const
  for (const [text, want] of named) {
    it(`reads ${text}`, () => expect(namedTarget(text, 'pod')).to.deep.equal(want))
  }

  for (const text of ['ftp:web:1', ':1', 'a:b:c:d', 'http::1']) {
    it(`refuses ${text} with 400`, () => {
      expect(() => namedTarget(text, 'pod'))
        .to.throw(`invalid pod request "${text}"`)
        .with.property('code', 400)
    })
  }
})
