import { expect } from 'chai'
import { AccessScopes } from '../../../apiserver/authorization/scope/accessScopes.ts'
import { defaultNames, namesProfile } from '../../../apiserver/meta/names/namesProfile.ts'
import { entryCases } from './entryCases.ts'
import { attributesOf } from './requests.ts'
import { roleCases } from './roleCases.ts'
import { ruleCases } from './ruleCases.ts'
import type { Wanted } from './scopeCase.ts'

const refusal = 'the scope of the access key does not cover this request'

describe('AccessScopes', () => {
  const scopes = new AccessScopes({ names: defaultNames, projectNamespacePrefix: () => 'p-' })

  const decided = (scope: Record<string, unknown> | undefined, wanted: Wanted) => {
    const [request, target] = typeof wanted === 'string' ? [wanted, undefined] : wanted
    return scopes.scopeAllows(scope, attributesOf(request, target))
  }
  const shown = (wanted: Wanted) => {
    if (typeof wanted === 'string') return wanted
    const [request, { plane, ...names }] = wanted
    return `${request} of the ${plane} ${Object.values(names).join('/')}`
  }

  for (const { name, scope, covers = [], refuses = [] } of [
    ...entryCases,
    ...roleCases,
    ...ruleCases,
  ]) {
    describe(name, () => {
      for (const wanted of covers) {
        it(`covers ${shown(wanted)}`, () => {
          expect(decided(scope, wanted)).to.deep.equal({ allowed: true, reason: '' })
        })
      }
      for (const wanted of refuses) {
        it(`refuses ${shown(wanted)}`, () => {
          expect(decided(scope, wanted)).to.deep.equal({ allowed: false, reason: refusal })
        })
      }
    })
  }

  it('no scope restricts nothing', () => {
    expect(decided(undefined, 'DELETE ~/users').allowed).to.equal(true)
  })

  it('the project namespace has the configured prefix', () => {
    let prefix = 'project-'
    const others = new AccessScopes({ names: defaultNames, projectNamespacePrefix: () => prefix })
    const scope = { projects: [{ project: 'blue' }] }
    const isCovered = () =>
      others.scopeAllows(scope, attributesOf('GET ~/namespaces/project-blue/projectsecrets'))
        .allowed
    expect(isCovered()).to.equal(true)
    prefix = 'p-'
    expect(isCovered()).to.equal(false)
  })

  it('follows the names profile', () => {
    const names = namesProfile({ platform: 'acme', domain: 'acme.dev', cliRole: 'acme-tool' })
    const others = new AccessScopes({ names, projectNamespacePrefix: () => 'p-' })
    const asked = attributesOf('GET /apis/management.acme.dev/v1/projects')
    for (const role of ['acme-tool', 'acme-cli', 'acmeCLI']) {
      expect(others.scopeAllows({ roles: [{ role }] }, asked).allowed).to.equal(true)
    }
    expect(others.scopeAllows({ allowAcmeCli: true }, asked).allowed).to.equal(true)
    const narrow = { roles: [{ role: 'platformCLI' }] }
    expect(others.scopeAllows(narrow, asked).allowed).to.equal(false)
    const selves = ['acme.dev', 'platform'].map((domain) =>
      attributesOf(`POST /apis/management.${domain}/v1/selves`),
    )
    const mayAsk = selves.map((request) => others.scopeAllows(narrow, request).allowed)
    expect(mayAsk).to.deep.equal([true, false])
  })

  it('reads the scope of the credential in use', () => {
    const request = attributesOf('GET ~/users')
    const credential = { scope: { projects: [{ project: 'blue' }] } }
    expect(scopes.check(request).allowed).to.equal(true)
    const scoped = { ...request, user: { ...request.user, credential } }
    expect(scopes.check(scoped)).to.deep.equal({ allowed: false, reason: refusal })
  })
})
