import { dyn, listOf, mapOf, objectType, typeNamed, type CelType } from './types/types.ts'

const text = typeNamed('string')
const bool = typeNamed('bool')

function fields(types: Readonly<Record<string, CelType>>): CelType {
  return objectType((name) => (Object.hasOwn(types, name) ? types[name] : undefined))
}

const kind = fields({ group: text, version: text, kind: text })
const resource = fields({ group: text, version: text, resource: text })

const userInfo = fields({
  username: text,
  uid: text,
  groups: listOf(text),
  extra: mapOf(text, listOf(text)),
})

const request = fields({
  kind,
  resource,
  subResource: text,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo,
  dryRun: bool,
  options: dyn,
})

const namespaceObject = fields({
  metadata: fields({
    name: text,
    generateName: text,
    namespace: text,
    labels: mapOf(text, text),
    annotations: mapOf(text, text),
    UID: text,
    creationTimestamp: typeNamed('timestamp'),
    deletionGracePeriodSeconds: typeNamed('int'),
    deletionTimestamp: typeNamed('timestamp'),
    generation: typeNamed('int'),
    resourceVersion: text,
    finalizers: listOf(text),
  }),
  spec: fields({ finalizers: listOf(text) }),
  status: fields({ phase: text }),
})

/** Types of all variables except objects of a kind. */
export const admissionTypes: Readonly<Record<string, CelType>> = {
  request,
  namespaceObject,
  authorizer: typeNamed('kubernetes.authorization.Authorizer'),
}
