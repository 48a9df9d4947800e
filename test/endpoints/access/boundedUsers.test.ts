import { expect } from 'chai'
import { connect } from 'node:tls'
import { clientOf, management, openBob, users, useTestServer } from '../support/testServer.ts'

const merge = 'merge-patch+json'
const keys = `${management}/ownedaccesskeys`

describe('limits for users without rights', () => {
  const server = useTestServer({ maxAccessKeys: 3 })

  it('an object over 1.5 MiB is refused', async () => {
    const { admin } = server()
    const path = '/apis/apps/v1/namespaces/default/deployments'
    const deployment = (name: string, size: number) => ({
      metadata: { name },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i', args: ['x'.repeat(size)] }] },
        },
      },
    })
    expect((await admin.post(path, deployment('large', 1_500_000))).status).to.equal(201)
    for (const answer of [
      await admin.post(path, deployment('larger', 1_600_000)),
      await admin.put(`${path}/large`, deployment('large', 1_600_000)),
    ]) {
      expect([answer.status, answer.field('message')]).to.deep.equal([
        500,
        'etcdserver: request is too large',
      ])
    }
  })

  it('a user creates at most the configured number of access keys, and no large ones', async () => {
    const bob = await openBob(server(), 'bounded')
    const make = (name: string, description = '') =>
      bob.post(keys, { metadata: { name }, spec: { description } })
    const large = await make('bounded-large', 'x'.repeat(70_000))
    expect([large.status, large.field('message')]).to.deep.equal([
      422,
      `OwnedAccessKey.management.platform "bounded-large" is invalid: : Too long: may not be more than 65536 bytes`,
    ])
    const codes = []
    for (const name of ['bounded-1', 'bounded-2', 'bounded-3'])
      codes.push((await make(name)).status)
    expect(codes).to.deep.equal([201, 201, 422])
    expect((await bob.delete(`${keys}/bounded-1`)).status).to.equal(200)
    expect((await make('bounded-4')).status).to.equal(201)
  })

  it('a profile holds at most a few lines of text', async () => {
    const bob = await openBob(server(), 'verbose')
    const profile = { displayName: 'x'.repeat(2_000) }
    const answer = await bob.post(`${users}/verbose/profile`, profile)
    expect([answer.status, answer.field('details', 'causes', '0', 'field')]).to.deep.equal([
      422,
      'displayName',
    ])
  })

  it('seventy wrong current passwords at once slow down their sender, and no login', async function () {
    this.timeout(30_000)
    const { admin } = server()
    await openBob(server(), 'guesser')
    expect((await admin.post(`${users}/guesser/profile`, { password: 'right' })).status).to.equal(
      201,
    )
    const again = await admin.post(keys, { metadata: { name: 'g' }, spec: { user: 'guesser' } })
    const guesser = clientOf(server().running, String(again.field('spec', 'key')))
    const guesses = Array.from({ length: 70 }, () =>
      guesser.post(`${users}/guesser/profile`, { password: 'new', currentPassword: 'wrong' }),
    )
    const login = await admin.post(
      '/auth/password/login',
      { username: 'nobody', password: 'x' },
      { 'content-type': 'application/json' },
    )
    expect(login.status).to.equal(401)
    const codes = (await Promise.all(guesses)).map(({ status }) => status).sort()
    expect([codes.indexOf(429), codes.length]).to.deep.equal([10, 70])
  })

  it('a key or user being deleted is refused', async () => {
    const { admin } = server()
    const bob = await openBob(server(), 'leaving')
    expect((await bob.get(`${keys}/leaving`)).status).to.equal(200)
    const held = { metadata: { finalizers: ['example.com/held'] } }
    await admin.patch(`${keys}/leaving`, merge, held)
    await admin.delete(`${keys}/leaving`)
    expect((await bob.get(`${keys}/leaving`)).status).to.equal(401)

    const other = await openBob(server(), 'going')
    await admin.patch(`${users}/going`, merge, held)
    await admin.delete(`${users}/going`)
    expect((await other.get(`${keys}/going`)).status).to.equal(401)
  })

  it('a login key cannot be created by hand', async () => {
    const bob = await openBob(server(), 'faker')
    for (const type of ['Login', 'OIDCRefreshToken', 'Reset']) {
      const made = await bob.post(keys, { metadata: { name: 'fake' }, spec: { type } })
      expect(made.status, type).to.equal(403)
      const changed = await bob.patch(`${keys}/faker`, merge, { spec: { type } })
      expect(changed.status, type).to.equal(403)
    }
  })

  it('TLS 1.2 offers only authenticated encryption', async () => {
    const { hostname: host, port } = new URL(server().running.url)
    const handshake = (ciphers: string) =>
      new Promise<string>((resolve) => {
        const options = { host, port: Number(port), rejectUnauthorized: false, ciphers }
        const socket = connect({ ...options, maxVersion: 'TLSv1.2' }, () => {
          resolve(socket.getCipher().name)
          socket.destroy()
        })
        socket.once('error', () => resolve('refused'))
      })
    expect(await handshake('ECDHE-ECDSA-AES128-GCM-SHA256')).to.equal(
      'ECDHE-ECDSA-AES128-GCM-SHA256',
    )
    for (const ciphers of [
      'ECDHE-ECDSA-AES128-SHA',
      'ECDHE-ECDSA-AES256-SHA384',
      'AES128-GCM-SHA256',
    ])
      expect(await handshake(ciphers), ciphers).to.equal('refused')
  })
})
