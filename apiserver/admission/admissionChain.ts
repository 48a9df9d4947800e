import type {
  AdmissionControl,
  AdmissionRequest,
  AdmissionSteps,
  AdmissionTarget,
} from '../registry/admission.ts'
import { admissionPluginNames } from '../runtime/options/admissionPlugins.ts'
import type { AdmissionPlugin, MutationRound } from './admissionPlugin.ts'
import { TargetCache } from './targetCache.ts'

type Pending = void | Promise<void>

/**
 * Admission of one plane: calls the plugins that handle a write, in order. Plugins, policies and
 * webhooks first mutate the object; after the object is validated, they validate the write. Quota
 * is charged last.
 */
export class AdmissionChain implements AdmissionControl {
  readonly #plugins: readonly AdmissionPlugin[]
  /** Plugins that may start or stop handling writes at runtime. */
  readonly #changing: readonly AdmissionPlugin[]
  readonly #steps = new TargetCache<AdmissionSteps | undefined>()

  /** Plugins, in the prescribed order; unlisted plugins come last. */
  constructor(plugins: readonly AdmissionPlugin[]) {
    const place = ({ name }: AdmissionPlugin) => admissionPluginNames.indexOf(name) >>> 0
    this.#plugins = [...plugins].sort((a, b) => place(a) - place(b))
    this.#changing = this.#plugins.filter((plugin) => 'generation' in plugin)
  }

  stepsOf(target: AdmissionTarget): AdmissionSteps | undefined {
    let generation = 0
    for (const plugin of this.#changing) generation += plugin.generation ?? 0
    return this.#steps.get(target, generation, () => {
      const found = this.#plugins.filter((plugin) => plugin.handles(target))
      return found.length === 0 ? undefined : stepsThrough(found)
    })
  }
}

function stepsThrough(plugins: readonly AdmissionPlugin[]): AdmissionSteps {
  const having = (step: 'mutate' | 'validate' | 'charge') =>
    plugins.filter((plugin) => plugin[step] !== undefined)
  const mutating = having('mutate')
  const validating = having('validate')
  const charging = having('charge')
  const steps: AdmissionSteps = {}
  if (mutating.length > 0) steps.mutate = (request) => mutate(mutating, request)
  if (validating.length > 0)
    steps.validate = (request) => inOrder(validating, (plugin) => plugin.validate?.(request))
  if (charging.length > 0) steps.charge = (request) => charge(charging, request)
  return steps
}

function charge(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
): Promise<unknown> | undefined {
  const pending = plugins.flatMap((plugin) => plugin.charge?.(request) ?? [])
  return pending.length === 0 ? undefined : Promise.all(pending)
}

/** Mutating steps run a second time if a webhook asks for reinvocation. */
function mutate(plugins: readonly AdmissionPlugin[], request: AdmissionRequest): Pending {
  const state = new Map<object, unknown>()
  const run = (round: MutationRound) =>
    inOrder(plugins, (plugin) => plugin.mutate?.(request, round))
  const first: MutationRound = { number: 0, reinvoke: false, state }
  const again = () => (first.reinvoke ? run({ number: 1, reinvoke: false, state }) : undefined)
  const pending = run(first)
  return pending instanceof Promise ? pending.then(again) : again()
}

/** Runs plugins one after another; stays synchronous until a plugin is asynchronous. */
function inOrder(
  plugins: readonly AdmissionPlugin[],
  ask: (plugin: AdmissionPlugin) => Pending,
): Pending {
  let asked = 0
  for (const plugin of plugins) {
    asked++
    const pending = ask(plugin)
    if (!(pending instanceof Promise)) continue
    return pending.then(() => inOrder(plugins.slice(asked), ask))
  }
  return undefined
}
