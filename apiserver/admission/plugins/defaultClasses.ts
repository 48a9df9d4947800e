import type { ApiObject, GroupResource } from '../../meta/types.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import { isTarget } from './podTarget.ts'

interface MarkedClass {
  name: string
  created: string
  isDefault: boolean
}

interface DefaultClass {
  plugin: string
  /** Kind of the classes, and the annotations that mark one of them as the default. */
  classes: GroupResource
  marks: readonly string[]
  /** Kind that refers to a class. */
  of: { group: string; plural: string }
  field: string
  /** Annotations that named a class before the field existed. */
  oldNames: readonly string[]
}

/** Sets the default class of claims without one. Source: Kubernetes, DefaultStorageClass. */
export function defaultStorageClass(objects: PlaneObjects): AdmissionPlugin {
  return defaultClass(objects, {
    plugin: 'DefaultStorageClass',
    classes: { group: 'storage.k8s.io', resource: 'storageclasses' },
    marks: [
      'storageclass.kubernetes.io/is-default-class',
      'storageclass.beta.kubernetes.io/is-default-class',
    ],
    of: { group: '', plural: 'persistentvolumeclaims' },
    field: 'storageClassName',
    oldNames: ['volume.beta.kubernetes.io/storage-class'],
  })
}

/** Sets the default class of ingresses without one. Source: Kubernetes, DefaultIngressClass. */
export function defaultIngressClass(objects: PlaneObjects): AdmissionPlugin {
  return defaultClass(objects, {
    plugin: 'DefaultIngressClass',
    classes: { group: 'networking.k8s.io', resource: 'ingressclasses' },
    marks: ['ingressclass.kubernetes.io/is-default-class'],
    of: { group: 'networking.k8s.io', plural: 'ingresses' },
    field: 'ingressClassName',
    oldNames: ['kubernetes.io/ingress.class'],
  })
}

/** Sets the default class: the newest one or, if several are equally new, the first by name. */
function defaultClass(objects: PlaneObjects, kind: DefaultClass): AdmissionPlugin {
  const { plugin: name, classes, marks, of, field, oldNames } = kind
  const followed = objects.follow(classes, (object) => markedClass(object, marks))
  return {
    name,
    handles: (target) => isTarget(target, { ...of, operations: ['CREATE'] }),
    mutate: ({ object }) => {
      if (object === undefined || isClassed(object, field, oldNames)) return
      const [found] = followed.all
        .filter(({ isDefault }) => isDefault)
        .sort((a, b) => (a.created === b.created ? 0 : a.created < b.created ? 1 : -1))
      if (found === undefined) return
      const spec = isObject(object['spec']) ? object['spec'] : {}
      object['spec'] = { ...spec, [field]: found.name }
    },
  }
}

function markedClass({ metadata }: ApiObject, marks: readonly string[]): MarkedClass {
  const { name = '', creationTimestamp: created = '', annotations = {} } = metadata
  return { name, created, isDefault: marks.some((mark) => annotations[mark] === 'true') }
}

function isClassed(object: ApiObject, field: string, oldNames: readonly string[]): boolean {
  const { annotations = {} } = object.metadata
  if (oldNames.some((name) => annotations[name] !== undefined)) return true
  const spec = object['spec']
  return isObject(spec) && spec[field] !== undefined && spec[field] !== null
}
