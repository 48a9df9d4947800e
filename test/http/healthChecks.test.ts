import { expect } from 'chai'
import { healthPaths } from '../../apiserver/endpoints/documents/health.ts'
import { healthChecks } from '../../apiserver/http/healthChecks.ts'

const fine = () => undefined
const broken = () => {
  throw new Error('broken')
}
const failing = (parts: Partial<Parameters<typeof healthChecks>[0]>) =>
  healthChecks({ checkStarted: fine, checkStorage: fine, checkShutdown: fine, ...parts })
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
  it('tells of a broken storage in the checks of etcd', () => {
    expect(failing({ checkStorage: broken })).to.deep.equal(['etcd', 'etcd-readiness'])
  })

  it('tells of a shutdown in one check', () => {
    expect(failing({ checkShutdown: broken })).to.deep.equal(['shutdown'])
  })

  it('tells of a start that is not over in every hook', () => {
    const names = failing({ checkStarted: broken })
    expect(names).to.include.members(['informer-sync', 'autoregister-completion'])
    expect(names.filter((name) => name.startsWith('poststarthook/'))).to.have.length(29)
  })

  it('has the checks that the public conformance suite looks for, each at its paths', () => {
    const checks = healthChecks({ checkStarted: fine, checkStorage: fine, checkShutdown: fine })
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
