import { expect } from 'chai'
import { createPublicKey, createVerify, type JsonWebKey } from 'node:crypto'
import { HttpClient } from '../support/httpClient.ts'
import { management, useTestServer } from '../support/testServer.ts'

describe('Keys of tokens', function () {
  this.timeout(20_000)
  const server = useTestServer()

  function anonymous(): HttpClient {
    return new HttpClient(server().admin.base)
  }

  it('are found from the issuer, by anyone (reference 6.9)', async () => {
    const { url } = server().running
    const answer = await anonymous().get('/.well-known/openid-configuration')
    expect([answer.status, answer.json]).to.deep.equal([
      200,
      {
        issuer: url,
        jwks_uri: `${url}/openid/v1/jwks`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      },
    ])
  })

  it('verify a token using only published documents (reference 6.9)', async () => {
    const path = `${management}/directclusterendpointtokens`
    const token = String((await server().admin.post(path, {})).field('status', 'token'))
    const [header = '', payload = '', signature = ''] = token.split('.')
    // The header of a token is a JSON object with the name of its key.
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
    const answer = await anonymous().get('/openid/v1/jwks')
    expect(answer.headers['content-type']).to.equal('application/jwk-set+json')
    expect(answer.headers['cache-control']).to.equal('public, max-age=3600')
    // A key set is an object with a list of keys.
    const { keys } = answer.json as { keys: (JsonWebKey & { kid: string })[] }
    const jwk = keys.find((key) => key.kid === kid) ?? {}
    const verified = createVerify('sha256')
      .update(`${header}.${payload}`)
      .verify(createPublicKey({ key: jwk, format: 'jwk' }), signature, 'base64url')
    expect(verified).to.equal(true)
  })
})
