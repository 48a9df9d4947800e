import { expect } from 'chai'
import { Verbosity } from '../../cli/client/verbosity.ts'

describe('Verbosity', () => {
  const written = (level: string, body: unknown) => {
    const lines: string[] = []
    const verbosity = new Verbosity(level, (line) => lines.push(line))
    verbosity.request('POST', 'https://x/y', {
      Authorization: 'Bearer of-me',
      Cookie: 'session=of-me',
    })
    verbosity.body('Body', typeof body === 'string' ? body : JSON.stringify(body))
    return lines.join('\n')
  }

  const secrets: unknown[] = [
    { spec: { key: 'of-me' } },
    { spec: { data: { password: 'of-me' }, raw: 'of-me' } },
    { accessKey: 'of-me', password: 'of-me', code: 'of-me', code_verifier: 'of-me' },
    { status: { token: 'of-me', kubeConfig: 'of-me' } },
    {
      items: [
        {
          metadata: {
            annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'of-me' },
          },
        },
      ],
    },
    { auth: { oidc: { clientSecret: 'of-me' } }, stringData: { a: 'of-me' } },
    'not JSON: of-me',
  ]
  for (const body of secrets)
    it(`masks ${JSON.stringify(body)}`, () => {
      expect(written('9', body)).to.include('***').and.to.not.include('of-me')
    })

  it('keeps the names of keys, and everything else', () => {
    expect(written('9', { metadata: { name: 'a' }, spec: { data: { password: 'x' } } })).to.include(
      '{"metadata":{"name":"a"},"spec":{"data":{"password":"***"}}}',
    )
  })

  it('shortens bodies below 9', () => {
    expect(written('8', { text: 'a'.repeat(5_000) })).to.match(/\[truncated \d+ chars\]$/)
    expect(written('9', { text: 'a'.repeat(5_000) })).to.have.length.above(5_000)
  })

  it('is silent below 6, and refuses what is no number', () => {
    expect(written('5', { a: 1 })).to.equal('')
    expect(() => written('many', {})).to.throw('invalid verbosity "many"')
  })
})
