import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ApiException, KubeConfig } from '@kubernetes/client-node'
import { startServer, type RunningServer } from 'platform-apiserver'
import { Settings } from '../settings.ts'

describe('Settings', () => {
  let server: RunningServer
  let settings: Settings

  before(async () => {
    server = await startServer({ storage: 'memory', securePort: 0 })
    const config = new KubeConfig()
    config.loadFromString(server.kubeconfig)
    settings = new Settings(config, 'default')
  })
  after(() => server.stop())

  it('has no value at first', async () => {
    assert.equal(await settings.get('color'), undefined)
  })

  it('keeps a value', async () => {
    await settings.create('color', 'blue')
    assert.equal(await settings.get('color'), 'blue')
  })

  it('is refused the second time, as by a cluster', async () => {
    const twice = settings.create('color', 'red')
    await assert.rejects(twice, (error) => error instanceof ApiException && error.code === 409)
  })
})
