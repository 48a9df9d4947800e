import { referencedKind, type Kind } from '../api/kinds.ts'
import { mapOf, member, text, type ApiObject } from '../api/objects.ts'

/** Object that another one refers to. */
export interface Reference {
  kind: Kind
  /** Namespace; absent for cluster-scoped kinds. */
  namespace?: string
  name: string
}

/** Plural of the kind that a field of this name refers to, by its value or its `name`. */
const byField: Readonly<Record<string, string>> = {
  configMap: 'configmaps',
  configMapKeyRef: 'configmaps',
  configMapRef: 'configmaps',
  claimName: 'persistentvolumeclaims',
  ingressClassName: 'ingressclasses',
  nodeName: 'nodes',
  persistentVolumeClaim: 'persistentvolumeclaims',
  priorityClassName: 'priorityclasses',
  runtimeClassName: 'runtimeclasses',
  secretKeyRef: 'secrets',
  secretName: 'secrets',
  secretRef: 'secrets',
  service: 'services',
  serviceAccountName: 'serviceaccounts',
  serviceName: 'services',
  storageClassName: 'storageclasses',
  volumeName: 'persistentvolumes',
}
/** Plural of the kind that a list of references refers to. */
const byList: Readonly<Record<string, string>> = { imagePullSecrets: 'secrets', secrets: 'secrets' }

const templates: Readonly<Record<string, string>> = {
  virtualclusterinstances: 'virtualclustertemplates',
  spaceinstances: 'spacetemplates',
}

/**
 * Objects that an object refers to: by well-known fields, by references that name a kind (role, subjects, scale target,
 * members), and by the shared secret label.
 */
export function referencesOf(kind: Kind, object: ApiObject, kinds: readonly Kind[]): Reference[] {
  const found = new Map<string, Reference>()
  const { namespace = '', labels = {} } = object.metadata
  const add = (to: Kind | undefined, name: string, at = '') => {
    if (to === undefined || name === '') return
    const place = to.namespaced ? { namespace: at || namespace } : {}
    found.set(referenceKey({ kind: to, name, ...place }), { kind: to, name, ...place })
  }
  const byPlural = (plural: string | undefined) => kinds.find((each) => each.plural === plural)
  visit(content(object), (key, value) => {
    const isName = typeof value === 'string'
    if (key === 'templateRef') add(byPlural(templates[kind.plural]), text(value, 'name'))
    else if (key === 'cluster' && isName) add(byPlural('clusters'), value)
    else if (byField[key] !== undefined)
      add(
        byPlural(byField[key]),
        isName ? value : text(value, 'name') || text(value, key),
        text(value, 'namespace'),
      )
    else if (byList[key] !== undefined && Array.isArray(value))
      for (const each of value) add(byPlural(byList[key]), text(each, 'name'))
    else add(namedKind(value, kinds), text(value, 'name'), text(value, 'namespace'))
  })
  for (const [label, name] of Object.entries(labels)) {
    if (!label.endsWith('/sharedsecret-name')) continue
    const at = labels[label.replace(/-name$/, '-namespace')] ?? ''
    add(byPlural('sharedsecrets'), name, at)
  }
  return [...found.values()]
}

/** Identifier of a referenced object. */
export function referenceKey({ kind, namespace = '', name }: Reference): string {
  return `${kind.group}/${kind.plural}/${namespace}/${name}`
}

function content(object: ApiObject): object {
  const { metadata: _, status: _status, apiVersion: _version, kind: _kind, ...rest } = object
  return rest
}

/** Kind of a value such as `{kind: Deployment, apiVersion: apps/v1, name: web}`; the group may be alone or absent. */
function namedKind(value: unknown, kinds: readonly Kind[]): Kind | undefined {
  const kind = text(value, 'kind')
  if (kind === '') return undefined
  const map = mapOf(value)
  const group = ['apiGroup', 'group']
    .map((key) => map[key])
    .find((each) => typeof each === 'string')
  if (group !== undefined) return kinds.find((each) => each.kind === kind && each.group === group)
  const apiVersion = text(value, 'apiVersion')
  if (apiVersion !== '') return referencedKind(kinds, { apiVersion, kind })
  return kinds.find((each) => each.kind === kind)
}

/** Calls back with each member of a value, at any depth; items of lists have the name of the list. */
function visit(value: unknown, found: (key: string, value: unknown) => void, name = ''): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const below = member(value, key)
    const called = Array.isArray(value) ? name : key
    found(called, below)
    visit(below, found, called)
  }
}
