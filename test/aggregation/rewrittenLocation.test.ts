import { expect } from 'chai'
import { rewrittenLocation } from '../../apiserver/aggregation/rewrittenLocation.ts'

const prefix = '/api/v1/namespaces/n/pods/p/proxy'
const hosts = { target: '10.1.1.1:8080', asked: 'localhost:8001' }

describe('rewrittenLocation', () => {
  const cases = [
    ['/login?next=%2F#a', `${prefix}/login?next=%2F#a`],
    ['/a/', `${prefix}/a/`],
    ['/', `${prefix}/`],
    ['login', 'login'],
    ['?page=2', '?page=2'],
    ['http://10.1.1.1:8080/login', `${prefix}/login`],
    ['http://localhost:8001/login', `http://localhost:8001${prefix}/login`],
    ['https://example.com/login', 'https://example.com/login'],
    [`${prefix}/login`, `${prefix}/login`],
    ['mailto:a@example.com', 'mailto:a@example.com'],
  ] as const
  for (const [url, want] of cases) {
    it(`makes ${url} ${url === want ? 'stay' : want}`, () => {
      expect(rewrittenLocation(url, { prefix, hosts })).to.equal(want)
    })
  }
})
