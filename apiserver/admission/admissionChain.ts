import type {
  AdmissionControl,
  AdmissionRequest,
  AdmissionSteps,
  AdmissionTarget,
} from '../registry/admission.ts'
import { admissionPluginNames } from '../runtime/admissionPlugins.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { AdmissionPlugin, MutationRound } from './admissionPlugin.ts'

type Stepped = AdmissionSteps | undefined

/** Admission of one plane: asks each plugin that a write concerns, in order. Plugins, policies and webhooks mutate, then
 *  the object is validated, then they validate, and quota is last. */
export class AdmissionChain implements AdmissionControl {
  readonly #plugins: readonly AdmissionPlugin[]
  #steps = new WeakMap<ResourceDefinition, Map<string, Stepped>>()
  #generation = 0

  /** In any order; plugins that the order does not name come last. */
  constructor(plugins: readonly AdmissionPlugin[]) {
    const place = ({ name }: AdmissionPlugin) => admissionPluginNames.indexOf(name) >>> 0
    this.#plugins = [...plugins].sort((a, b) => place(a) - place(b))
  }

  stepsOf(target: AdmissionTarget): Stepped {
    this.#forgetChanged()
    const { kind, operation, resource, subresource } = target
    let ofKind = this.#steps.get(kind)
    if (ofKind === undefined) this.#steps.set(kind, (ofKind = new Map()))
    const key = `${operation} ${resource.plural}.${resource.group} ${subresource}`
    if (ofKind.has(key)) return ofKind.get(key)
    const found = this.#plugins.filter((plugin) => plugin.handles(target))
    const steps = found.length === 0 ? undefined : stepsThrough(found)
    ofKind.set(key, steps)
    return steps
  }

  #forgetChanged(): void {
    let generation = 0
    for (const plugin of this.#plugins) generation += plugin.generation ?? 0
    if (generation === this.#generation) return
    this.#generation = generation
    this.#steps = new WeakMap()
  }
}

function stepsThrough(plugins: readonly AdmissionPlugin[]): AdmissionSteps {
  return {
    mutate: async (request) => {
      const state = new Map<object, unknown>()
      const first: MutationRound = { number: 0, reinvoke: false, state }
      await mutate(plugins, request, first)
      if (first.reinvoke) await mutate(plugins, request, { number: 1, reinvoke: false, state })
    },
    validate: async (request) => {
      for (const plugin of plugins) await plugin.validate?.(request)
    },
    charge: (request) => {
      const pending = plugins.map((plugin) => plugin.charge?.(request))
      return pending.some((one) => one !== undefined) ? Promise.all(pending) : undefined
    },
  }
}

async function mutate(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
  round: MutationRound,
): Promise<void> {
  for (const plugin of plugins) await plugin.mutate?.(request, round)
}
