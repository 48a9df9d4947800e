import { asPod } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { PodSpec } from '../../apis/kubernetes/shapes/coreV1.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { groupResource } from '../../registry/resource.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import type { FollowedObjects } from '../followedObjects.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import { isTarget, podsCreated } from './podTarget.ts'

interface PriorityClass {
  name: string
  value: number
  isDefault: boolean
  preemptionPolicy: string
}

const classesResource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' }

/** Sets the priority of pods from their class. At most one class is the default. Source: Kubernetes, Priority. */
export function priority(objects: PlaneObjects): AdmissionPlugin {
  const classes = objects.follow(classesResource, classOf)
  const isClass = { group: classesResource.group, plural: classesResource.resource }
  const isWrite = ['CREATE', 'UPDATE'] as const
  return {
    name: 'Priority',
    handles: (target) =>
      isTarget(target, podsCreated) ||
      isTarget(target, { group: '', plural: 'pods', operations: ['UPDATE'] }) ||
      isTarget(target, { ...isClass, operations: isWrite }),
    mutate: (request) => {
      if (request.resource.plural !== 'pods' || request.object === undefined) return
      if (request.operation === 'UPDATE') keepPriority(request)
      else setPriority(request, classes, objects)
    },
    validate: (request) => {
      if (request.resource.plural === 'pods' || request.object === undefined) return
      refuseSecondDefault(request, classes)
    },
  }
}

function classOf(object: ApiObject): PriorityClass {
  const {
    value = 0,
    globalDefault = false,
    preemptionPolicy = 'PreemptLowerPriority',
  } = object as Partial<{ value: number; globalDefault: boolean; preemptionPolicy: string }>
  return { name: object.metadata.name ?? '', value, isDefault: globalDefault, preemptionPolicy }
}

/** Keeps the priority in an update that omits it. */
function keepPriority({ object, oldObject }: AdmissionRequest): void {
  const next: PodSpec | undefined = object && asPod(object).spec
  const old: PodSpec | undefined = oldObject && asPod(oldObject).spec
  if (next === undefined || old === undefined) return
  if (next.priority === undefined && old.priority !== undefined) next.priority = old.priority
  if (next.preemptionPolicy === undefined && old.preemptionPolicy !== undefined) {
    next.preemptionPolicy = old.preemptionPolicy
  }
}

function setPriority(
  { object, resource, name }: AdmissionRequest,
  classes: FollowedObjects<PriorityClass>,
  objects: PlaneObjects,
): void {
  if (object === undefined) return
  const spec = (asPod(object).spec ??= {})
  const refuse = (why: string) => forbidden(groupResource(resource), name, why)
  const asked = spec.priorityClassName ?? ''
  const found = asked === '' ? defaultClass(classes) : named(asked, objects)
  if (asked !== '' && found === undefined) {
    throw refuse(`no PriorityClass with name ${asked} was found`)
  }
  const { value, preemptionPolicy } = found ?? withoutClass
  const problem = givenProblem(spec, value, preemptionPolicy)
  if (problem !== undefined) throw refuse(problem)
  if (found !== undefined) spec.priorityClassName = found.name
  spec.priority = value
  spec.preemptionPolicy = preemptionPolicy
}

const withoutClass = { value: 0, preemptionPolicy: 'PreemptLowerPriority' }

/** Error if the priority or preemption policy that the pod sets differs from its class. */
function givenProblem(
  { priority: given, preemptionPolicy: policy }: PodSpec,
  value: number,
  preemptionPolicy: string,
): string | undefined {
  const computed = 'must not be provided in pod spec; priority admission controller computed'
  const from = 'from the given PriorityClass name'
  if (given !== undefined && given !== value) {
    return `the integer value of priority (${given}) ${computed} ${value} ${from}`
  }
  if (policy === undefined || policy === preemptionPolicy) return undefined
  return `the string value of PreemptionPolicy (${policy}) ${computed} ${preemptionPolicy} ${from}`
}

function named(name: string, objects: PlaneObjects): PriorityClass | undefined {
  const found = objects.get(classesResource, '', name)
  return found && classOf(found)
}

/** Default class; if there are several, the class with the lowest value. */
function defaultClass(classes: FollowedObjects<PriorityClass>): PriorityClass | undefined {
  const found = classes.all.filter(({ isDefault }) => isDefault)
  return found.sort((a, b) => a.value - b.value)[0]
}

function refuseSecondDefault(
  { object, oldObject, resource, name }: AdmissionRequest,
  classes: FollowedObjects<PriorityClass>,
): void {
  if (object === undefined || !classOf(object).isDefault) return
  if (oldObject !== undefined && classOf(oldObject).isDefault) return
  const other = classes.all.find((one) => one.isDefault && one.name !== object.metadata.name)
  if (other === undefined) return
  const why = `PriorityClass ${other.name} is already marked as default. Only one default can exist`
  throw forbidden(groupResource(resource), name, why)
}
