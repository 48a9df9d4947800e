import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { issueAuthority, issueLeaf } from '../../../apiserver/http/pki/issueCertificates.ts'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import { LoginServer } from './support/loginServer.ts'

/**
 * Tests against a server written for them that implements the documented API for users of the
 * cluster manager.
 */
describe('login through a cluster manager', function () {
  this.timeout(20_000)
  let server: LoginServer
  let manager: Server
  let host: string
  let isEnabled = true

  before(async () => {
    const sources = { clock: realClock, random: realRandom }
    const authority = await issueAuthority(undefined, sources)
    manager = createServer(await issueLeaf(authority, ['127.0.0.1'], sources))
    manager.on('request', (request, response) => {
      const token = request.headers.authorization
      const own = { id: 'u-1', username: 'ranger', name: 'Ranger', enabled: isEnabled }
      const answers: Record<string, [string, unknown]> = {
        '/v3/users?me=true': ['Bearer token-user:s', { data: [own] }],
        '/v3/users/u-1': ['Bearer token-own:s', own],
      }
      const [wanted, value] = answers[request.url ?? ''] ?? ['', {}]
      response.statusCode = token === wanted ? 200 : 401
      response.end(JSON.stringify(value))
    })
    await new Promise<void>((resolve) => manager.listen(0, '127.0.0.1', resolve))
    host = `127.0.0.1:${(manager.address() as AddressInfo).port}`
    server = await LoginServer.start()
  })
  after(async () => {
    manager.closeAllConnections()
    manager.close()
    await server.stop()
  })

  const configure = (settings: Record<string, unknown> = {}) => {
    const clusterManager = { host, bearerToken: 'token-own:s', insecure: true, ...settings }
    return server.configure({ auth: { clusterManager } })
  }
  const login = (token: string) => server.request('POST', '/auth/clusterManager/login', { token })

  it("accepts a user's token of the cluster manager (spec config.auth.clusterManager, config.auth.clusterManager.host)", async () => {
    expect((await login('token-user:s')).status).to.equal(401)
    await configure()
    const { value } = await login('token-user:s')
    const { user, username, accessKey } = value as Record<string, string>
    expect({ user, username }).to.deep.equal({ user: 'ranger', username: 'ranger' })
    expect((await server.self(accessKey ?? ''))['accessKeyType']).to.equal('Login')
    expect((await login('token-other:s')).status).to.equal(401)
    const info = (await server.request('GET', '/auth/info')).value as { methods: object }
    expect(info.methods).to.have.deep.property('clusterManager', { enabled: true, host })
  })

  it('checks the account with its own token, and verifies the certificate (spec config.auth.clusterManager.bearerToken, config.auth.clusterManager.insecure)', async () => {
    isEnabled = false
    expect((await login('token-user:s')).status).to.equal(401)
    isEnabled = true
    await configure({ bearerToken: 'token-wrong:s' })
    expect((await login('token-user:s')).status).to.equal(503)
    await configure({ insecure: false })
    expect((await login('token-user:s')).status).to.equal(503)
  })
})
