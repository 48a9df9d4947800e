import { forbiddenField, invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import type { ParentSubresource } from '../../../../registry/resource.ts'
import { isSame } from '../../../fieldChecks.ts'
import { keepAllButIdentity } from './podContent.ts'
import { qualityOf } from './podQuality.ts'
import { podSpecErrors } from './podRules.ts'
import { asPod, type Container, type PodSpec } from './podTypes.ts'

const lists = ['containers', 'initContainers'] as const

/** Other resources for the containers of a pod that is there. No node gives them: what is asked for is stored.
 *  Source: Kubernetes documentation, "Resize CPU and Memory Resources assigned to Containers". */
export const resizeSubresource: ParentSubresource = {
  name: 'resize',
  verbs: ['get', 'update', 'patch'],
  fields: lists.flatMap((list) =>
    ['f:resources', 'f:resizePolicy'].map((field) => ['f:spec', `f:${list}`, '*', field]),
  ),
  strategy: {
    prepareForUpdate: (next, old) => {
      const wanted = asPod(next).spec
      const before = asPod({ ...old }).spec
      // Containers of other names are for the validation to refuse.
      if (orderErrors(wanted, before).length > 0) return
      keepAllButIdentity(next, old)
      const { spec } = asPod(next)
      for (const list of lists) resizeAll(spec[list] ?? [], wanted[list] ?? [])
    },
    validateUpdate: (next, old) => {
      const [after, before] = [asPod({ ...next }).spec, asPod({ ...old }).spec]
      const order = orderErrors(after, before)
      if (order.length > 0) return order
      const errors = podSpecErrors('spec', after)
      return errors.length > 0 ? errors : resizeErrors(after, before)
    },
  },
}

function resizeAll(containers: readonly Container[], wanted: readonly Container[]): void {
  containers.forEach((container, index) => {
    for (const field of ['resources', 'resizePolicy'] as const) {
      const value = wanted[index]?.[field]
      Reflect.deleteProperty(container, field)
      if (value !== undefined) Object.assign(container, { [field]: structuredClone(value) })
    }
  })
}

function orderErrors(next: PodSpec, old: PodSpec): FieldError[] {
  return lists.flatMap((list) => {
    const [after, before] = [next[list] ?? [], old[list] ?? []]
    if (after.length !== before.length) {
      return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)]
    }
    return after.flatMap(({ name }, index) =>
      name === before[index]?.name
        ? []
        : [
            forbiddenField(
              `spec.${list}[${index}].name`,
              `${list} may not be renamed or reordered on resize`,
            ),
          ],
    )
  })
}

const amounts = ['requests', 'limits'] as const
const resizable = ['cpu', 'memory']

function resizeErrors(next: PodSpec, old: PodSpec): FieldError[] {
  const quality = qualityOf(next)
  const kept = lists.every((list) =>
    (next[list] ?? []).every((container, index) =>
      isSame(fixedAmounts(container), fixedAmounts(old[list]?.[index] ?? {})),
    ),
  )
  return [
    ...(quality === qualityOf(old)
      ? []
      : [invalidField('spec', quality, 'Pod QOS Class may not change as a result of resizing')]),
    ...(kept ? [] : [forbiddenField('spec', 'only cpu and memory resources are mutable')]),
    ...lists.flatMap((list) =>
      (next[list] ?? []).flatMap((container, index) =>
        removedErrors(`spec.${list}[${index}].resources`, container, old[list]?.[index] ?? {}),
      ),
    ),
  ]
}

function fixedAmounts({ resources = {} }: Container): unknown {
  return amounts.map((kind) =>
    Object.entries(resources[kind] ?? {}).filter(([name]) => !resizable.includes(name)),
  )
}

function removedErrors(path: string, next: Container, old: Container): FieldError[] {
  return amounts.flatMap((kind) => {
    const [after, before] = [next.resources?.[kind] ?? {}, old.resources?.[kind] ?? {}]
    const isRemoved = resizable.some((name) => name in before && !(name in after))
    return isRemoved
      ? [forbiddenField(`${path}.${kind}`, `resource ${kind} cannot be removed`)]
      : []
  })
}
