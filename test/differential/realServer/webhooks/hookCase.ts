import type { Call } from '../../call.ts'
import type { Behaviour, Reply, Review } from './reviewServer.ts'

/** Webhook of a case. */
export interface Hook {
  type: 'validating' | 'mutating'
  /** Last segment of its path and first one of its name. Default: `hook`. */
  name?: string
  behaviour: Behaviour
  /** Fields of the webhook that differ from the default ones. */
  fields?: Readonly<Record<string, unknown>>
}

/**
 * Requests in a separate namespace that webhooks review. The responses and the bodies sent to
 * webhooks are compared.
 */
export interface HookCase {
  name: string
  hooks: readonly Hook[]
  /** Requests sent before the webhooks are registered; their responses are not compared. */
  setup?: readonly Call[]
  calls: readonly Call[]
}

const kinds: Readonly<Record<string, string>> = {
  validating: 'ValidatingWebhookConfiguration',
  mutating: 'MutatingWebhookConfiguration',
}

/** Configuration of the hooks of one type in a case. */
export function configurationOf(
  { type, hooks, id }: { type: Hook['type']; hooks: readonly Hook[]; id: string },
  { url, caBundle }: { url: (path: string) => string; caBundle: string },
): object {
  const webhooks = hooks.map(({ name = 'hook', fields = {} }) => ({
    name: `${name}.${id}.example.com`,
    clientConfig: { url: url(`/${id}/${name}`), caBundle },
    rules: [anyRule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    namespaceSelector: { matchLabels: { case: id } },
    ...fields,
  }))
  return {
    ...{ kind: kinds[type], apiVersion: 'admissionregistration.k8s.io/v1' },
    ...{ metadata: { name: id }, webhooks },
  }
}

/** Rule for all namespaced resources. */
export const anyRule = {
  ...{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
  scope: 'Namespaced',
}

/** Default response of admission with other fields. */
export function answer(fields: object, review: object = {}): Behaviour {
  return ({ request: { uid }, apiVersion }) =>
    json({ kind: 'AdmissionReview', apiVersion, response: { uid, ...fields }, ...review })
}

export const allow = answer({ allowed: true })

/** Response with a JSON patch. */
export function patching(operations: unknown, fields: object = {}): Behaviour {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
  return answer({ allowed: true, patchType: 'JSONPatch', patch, ...fields })
}

/** Response with these bytes; `{uid}` is replaced by that of the request. */
export function text(body: string, reply: Reply = {}): Behaviour {
  return ({ request: { uid } }: Review) => ({ body: body.replaceAll('{uid}', uid), ...reply })
}

function json(value: object): Reply {
  return { body: JSON.stringify(value) }
}

export const configMaps = '/api/v1/namespaces/{ns}/configmaps'

export function configMap(name: string, rest: object = {}): object {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { k: 'v' }, ...rest }
}

export const space = '/api/v1/namespaces/{ns}'
export const pods = `${space}/pods`
export const pod = (name: string, spec: object = {}) => ({
  ...{ kind: 'Pod', apiVersion: 'v1', metadata: { name } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
