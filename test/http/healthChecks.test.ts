import { expect } from 'chai'
import { healthPaths } from '../../apiserver/endpoints/documents/health.ts'
import { healthChecks } from '../../apiserver/http/healthChecks.ts'

const fine = () => undefined
const broken = () => {
  throw new Error('broken')
}
const failing = (parts: Partial<Parameters<typeof healthChecks>[0]>) =>
  healthChecks({
    checkStarted: fine,
    checkStorage: fine,
    checkShutdown: fine,
    checkKms: undefined,
    ...parts,
  })
    .filter(({ check }) => {
      try {
        check()
        return false
      } catch {
        return true
      }
    })
    .map(({ name }) => name)

describe('healthChecks', () => {
  it('reports broken storage in the etcd checks', () => {
    expect(failing({ checkStorage: broken })).to.deep.equal(['etcd', 'etcd-readiness'])
  })

  it('reports an unreachable KMS only if one is configured', () => {
    expect(failing({ checkKms: broken })).to.deep.equal(['kms-providers'])
    expect(failing({}).length).to.equal(0)
  })

  it('reports a shutdown in one check', () => {
    expect(failing({ checkShutdown: broken })).to.deep.equal(['shutdown'])
  })

  it('reports an unfinished start in every hook', () => {
    const names = failing({ checkStarted: broken })
    expect(names).to.include.members(['informer-sync', 'autoregister-completion'])
    expect(names.filter((name) => name.startsWith('poststarthook/'))).to.have.length(29)
  })

  it('has the checks that the public conformance suite expects', () => {
    const parts = { checkStarted: fine, checkStorage: fine, checkShutdown: fine }
    const checks = healthChecks({ ...parts, checkKms: undefined })
    const paths = healthPaths(checks)
    expect(paths).to.include.members([
      '/healthz/autoregister-completion',
      '/healthz/poststarthook/bootstrap-controller',
      '/livez/poststarthook/apiservice-openapi-controller',
      '/readyz/poststarthook/start-apiextensions-controllers',
      '/readyz/informer-sync',
    ])
    expect(paths).to.not.include.members(['/livez/informer-sync', '/healthz/shutdown'])
  })
})
