import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { expect } from 'chai'
import { readSeeds } from '../differential/realServer/seeds/seeds.ts'
import type { Answer, HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'

const management = 'apis/management.platform/v1'
const registrations = '/apis/admissionregistration.k8s.io/v1'
const denial = "ValidatingAdmissionPolicy 'none' with binding 'none' denied request"

/** Kind with writes to try: the path of its collection, an existing object, and a missing one. */
interface Target {
  path: string
  address: string
  body: object
  second: { metadata: { name: string } }
}

/** Fields that objects of kinds without a seed need besides a name. */
const others: Readonly<Record<string, object>> = {
  'apis/resource.k8s.io/v1/deviceclasses': {},
  'apis/resource.k8s.io/v1/devicetaintrules': {
    spec: { taint: { key: 'k', effect: 'NoSchedule' } },
  },
  'apis/resource.k8s.io/v1/namespaces/case/resourceclaims': {},
  'apis/resource.k8s.io/v1/namespaces/case/resourceclaimtemplates': {},
  'apis/resource.k8s.io/v1/resourceslices': {
    spec: {
      ...{ driver: 'd.example.com', nodeName: 'a' },
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    },
  },
  'apis/storagemigration.k8s.io/v1/storageversionmigrations': {
    spec: { resource: { group: 'apps', resource: 'deployments' } },
  },
  'apis/certificates.k8s.io/v1/clustertrustbundles': {
    spec: { trustBundle: new X509Certificate(rootCertificates[0] ?? '').toString() },
  },
  [`${management}/clusters`]: {},
  [`${management}/projects`]: {},
  [`${management}/teams`]: {},
  [`${management}/users`]: {},
  [`${management}/spacetemplates`]: {},
  [`${management}/virtualclustertemplates`]: {},
  [`${management}/ownedaccesskeys`]: { spec: { user: 'admin' } },
  [`${management}/namespaces/case/sharedsecrets`]: {},
  [`${management}/namespaces/p-a/projectsecrets`]: {},
  [`${management}/namespaces/p-a/spaceinstances`]: {},
  [`${management}/namespaces/p-a/virtualclusterinstances`]: {},
}

const otherTargets = Object.entries(others).map(([place, content]): Target => {
  const path = `/${place}`
  const object = (name: string) => ({ metadata: { name }, ...content })
  return { path, address: `${path}/a`, body: object('a'), second: object('b') }
})

/** Single object of its kind, which always exists. */
const config: Target = {
  path: `/${management}/configs`,
  address: `/${management}/configs/config`,
  body: {},
  second: { metadata: { name: 'config' } },
}

function nameOf({ address, path }: Target): string {
  return address.slice(path.length + 1)
}

/** Bodies of creates of subresources. */
const created: Readonly<Record<string, object>> = {
  binding: { metadata: { name: 'a' }, target: { kind: 'Node', name: 'a' } },
  eviction: { metadata: { name: 'a' } },
  token: { spec: { audiences: ['x'] } },
}

/** Resources that are skipped, with the reason. */
const lockout = 'could lock an administrator out; as on kube-apiserver'
const untried: Readonly<Record<string, string>> = {
  validatingadmissionpolicies: lockout,
  validatingadmissionpolicybindings: lockout,
  mutatingadmissionpolicies: lockout,
  mutatingadmissionpolicybindings: lockout,
  validatingwebhookconfigurations: lockout,
  mutatingwebhookconfigurations: lockout,
  podcertificaterequests: 'needs keys and a pod; stored by the same store as the others',
}

/** Contents of an applied configuration, for kinds whose empty configuration changes nothing. */
const applied: Readonly<Record<string, object>> = { scale: { spec: { replicas: 3 } } }

/**
 * Tries every write that discovery offers: a write that bypasses admission would bypass every
 * policy.
 */
describe('admission reviews every write:', () => {
  const server = useTestServer()
  let admin: HttpClient

  const send = (method: string, path: string, body?: object) =>
    admin.call(path, body === undefined ? { method } : { method, body })

  before(async () => {
    ;({ admin } = server())
    const spec = {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] },
        ],
      },
      validations: [{ expression: 'false' }],
    }
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'case' } })
    const stored = [...readSeeds().filter(({ isAsked }) => !isAsked), ...otherTargets]
    for (const { path, address, body } of stored) {
      const made = await send('POST', path, body)
      const { status } = await admin.get(address)
      expect(status, `${address}: ${made.text}`).to.equal(200)
    }
    await send('POST', `${registrations}/validatingadmissionpolicies`, {
      metadata: { name: 'none' },
      spec,
    })
    await send('POST', `${registrations}/validatingadmissionpolicybindings`, {
      metadata: { name: 'none' },
      spec: { policyName: 'none', validationActions: ['Deny'] },
    })
  })

  /** Writes of a resource or subresource, by the verbs of discovery. */
  const writes = (
    target: Target,
    sub: string | undefined,
    verb: string,
  ): (() => Promise<Answer>)[] => {
    const { path, second } = target
    const address = sub === undefined ? target.address : `${target.address}/${sub}`
    const now = async () => {
      const own = await admin.get(address)
      const { status, json } = own.status === 200 ? own : await admin.get(target.address)
      expect(status, address).to.equal(200)
      return json as { kind: string; apiVersion: string; metadata: object }
    }
    const apply = async () => {
      const { kind, apiVersion } = await now()
      const content = applied[sub ?? ''] ?? {}
      const applying = { kind, apiVersion, metadata: { name: nameOf(target) }, ...content }
      return admin.patch(`${address}?fieldManager=m&force=true`, 'apply-patch+yaml', applying)
    }
    const patch = (type: string, body: object) => () => admin.patch(address, type, body)
    if (verb === 'create') {
      return [
        () =>
          sub === undefined
            ? send('POST', path, second)
            : send('POST', `${address}?command=x&ports=1`, created[sub] ?? {}),
      ]
    }
    if (verb === 'update') return [async () => send('PUT', address, await now())]
    if (verb === 'delete') return [() => send('DELETE', address)]
    if (verb === 'deletecollection')
      return [() => send('DELETE', `${path}?fieldSelector=metadata.name%3D${nameOf(target)}`)]
    if (verb !== 'patch') return []
    const forms = [patch('merge-patch+json', {}), patch('json-patch+json', []), apply]
    return /example.com|management/.test(path)
      ? forms
      : [...forms, patch('strategic-merge-patch+json', {})]
  }

  const targets: Target[] = [
    ...readSeeds().filter(({ isAsked }) => !isAsked),
    ...otherTargets,
    config,
  ]
  it('a resource that takes writes is tried, or there is a reason', async () => {
    const { groups } = (await admin.get('/apis')).json as {
      groups: { versions: { groupVersion: string }[] }[]
    }
    const bases = groups.flatMap(({ versions }) =>
      versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
    )
    const tried = new Set(targets.map(({ path }) => path.replace(/\/namespaces\/[^/]+/, '')))
    const missing: string[] = []
    for (const base of ['/api/v1', ...bases]) {
      const answer = await admin.get(base)
      if (answer.status === 503) continue // Of the APIService among the seeds.
      const { resources } = answer.json as { resources: { name: string; verbs: string[] }[] }
      for (const { name, verbs } of resources) {
        const isWritten = verbs.some((verb) => ['update', 'patch', 'delete'].includes(verb))
        const [plural = ''] = name.split('/')
        if (isWritten && !tried.has(`${base}/${plural}`) && untried[plural] === undefined)
          missing.push(`${base}/${name}`)
      }
    }
    expect(missing).to.deep.equal([])
  })

  for (const target of targets) {
    it(`of ${target.path}`, async () => {
      const base = /^\/api\/v1|\/apis\/[^/]+\/[^/]+/.exec(target.path)?.[0] ?? ''
      const plural = target.path.split('/').at(-1)
      const { resources } = (await admin.get(base)).json as {
        resources: { name: string; verbs: string[] }[]
      }
      const open: string[] = []
      let tried = 0
      for (const { name, verbs } of resources) {
        const [resource, sub] = name.split('/')
        if (resource !== plural) continue
        for (const verb of verbs) {
          for (const write of writes(target, sub, verb)) {
            tried += 1
            const { status, text } = await write()
            if (!text.includes(denial))
              open.push(`${verb} ${name}: ${status} ${text.slice(0, 300)}`)
          }
        }
      }
      expect(open).to.deep.equal([])
      expect(tried).to.be.greaterThan(0)
    })
  }
})
