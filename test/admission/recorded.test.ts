import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'

/** Request of a recording with the answer of kube-apiserver; a step without a name only prepares others. */
interface Step {
  name?: string
  want?: {
    status: number
    message?: string
    reason?: string
    object?: unknown
    warnings?: string[]
  }
  /** Path of the part of the object that is compared. */
  show?: string
  method: string
  path: string
  body?: object
  headers?: Record<string, string>
}

/** Source: seen on kube-apiserver 1.37.2, which was asked the same in the same order. */
const recordings = [
  { file: 'validate', of: 'webhook configurations as objects' },
  { file: 'psa', of: 'pod security' },
  { file: 'vap', of: 'validating policies' },
  { file: 'mapKinds', of: 'mutating policies as objects' },
  {
    file: 'plugins',
    of: 'plugins for pods, nodes, certificates and owners',
    plugins: [
      'AlwaysPullImages',
      'DenyServiceExternalIPs',
      'ExtendedResourceToleration',
      'LimitPodHardAntiAffinityTopology',
      'NamespaceExists',
      'OwnerReferencesPermissionEnforcement',
      'PodNodeSelector',
      'PodTolerationRestriction',
      'AlwaysAdmit',
      'TaintNodesByCondition',
      'Priority',
      'DefaultTolerationSeconds',
      'PersistentVolumeClaimResize',
      'RuntimeClass',
      'PodTopologyLabels',
      'PodResizeValidator',
      'NodeDeclaredFeatureValidator',
    ],
  },
  { file: 'bindings', of: 'bindings and component statuses', plugins: [] },
  { file: 'podCertificates', of: 'requests for certificates of pods', plugins: [] },
  { file: 'requestsAndFlows', of: 'signing requests and flow control', plugins: [] },
  { file: 'kinds', of: 'devices, trust bundles and migrations', plugins: [] },
  // Recorded without accounts, whose volumes have random names.
  { file: 'map', of: 'mutating policies', plugins: [] },
]

for (const { file, of, plugins = ['ServiceAccount', 'Priority'] } of recordings) {
  const url = new URL(`../fixtures/admission/${file}.json`, import.meta.url)
  const steps = JSON.parse(readFileSync(url, 'utf8')) as Step[]
  describe(of, () => {
    const server = useTestServer({ enableAdmissionPlugins: plugins })
    let admin: HttpClient
    let prepared = 0
    before(() => {
      ;({ admin } = server())
    })

    const send = ({ method, path, body, headers = {} }: Step) =>
      admin.call(path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      })

    for (const [at, step] of steps.entries()) {
      const { name, want } = step
      if (name === undefined || want === undefined) continue
      const outcome = want.status < 400 ? 'accepted' : 'refused'
      it(`${at}, ${name}: ${outcome} with ${want.status}`, async () => {
        for (; prepared < at; prepared++) {
          const earlier = steps[prepared]
          if (earlier?.want === undefined && earlier !== undefined) await send(earlier)
        }
        prepared = at + 1
        const answer = await send(step)
        const warnings = answer.all('warning')
        expect({
          status: answer.status,
          ...(want.message === undefined ? {} : { message: answer.field('message') }),
          ...(want.reason === undefined ? {} : { reason: answer.field('reason') }),
          ...('object' in want ? { object: shownPart(answer.json, step.show ?? '') } : {}),
          ...(warnings.length === 0 ? {} : { warnings }),
        }).to.deep.equal(want)
      })
    }
  })
}

const changing = new Set([
  ...['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'generation'],
])

/** Part of an object without what differs from one server to the next; null if it is not there. */
function shownPart(object: unknown, path: string): unknown {
  const names = path.split('.')
  const part = names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    object,
  )
  if (path !== 'metadata') return part ?? null
  return Object.fromEntries(Object.entries(part as object).filter(([name]) => !changing.has(name)))
}
