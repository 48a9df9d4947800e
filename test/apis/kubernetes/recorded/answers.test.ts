import { expect } from 'chai'
import { StatusError } from '../../../../apiserver/meta/status.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import {
  subresourceStrategy,
  type ResourceDefinition,
} from '../../../../apiserver/registry/resource.ts'
import type { RequestContext, Strategy } from '../../../../apiserver/registry/strategy.ts'
import { BuiltInKinds } from '../../../support/builtInKinds.ts'
import { clientContext } from '../../../support/contexts.ts'
import { asWritten } from '../../../support/stores.ts'
import { vectorLines } from '../../../support/vectorLines.ts'

type Fields = Record<string, unknown>

interface Seed {
  seed: string
  object: ApiObject
  /** True if the status of the object is written before the changes. */
  hasStatus?: boolean
}

/**
 * Response to a seed with another value at a path, or with the path removed. Source: seen on
 * kube-apiserver 1.37.2, as dry runs.
 */
interface Vector {
  seed: string
  op: 'POST' | 'PUT' | 'STATUS'
  /** Path of names and indexes; `~1` represents a slash in a name. */
  at: string
  value?: unknown
  /** Absent: the change is accepted. */
  causes?: string[]
  warnings?: string[]
  /** Field at the beginning of the path, as in the response. */
  result?: unknown
}

// The files contain lines of this type.
const seeds = vectorLines('seeds.vectors.jsonl', import.meta.url) as Seed[]
const vectors = vectorLines('answers.vectors.jsonl', import.meta.url) as Vector[]

/** Copy of `object` with the change of a vector. */
function changed(object: ApiObject, vector: Vector): ApiObject {
  const copy = structuredClone(object)
  const names = vector.at.split('/').map((name) => name.replaceAll('~1', '/'))
  const last = names.pop() ?? ''
  // The paths lead only through objects and lists.
  const parent = names.reduce<unknown>((one, name) => ((one as Fields)[name] ??= {}), copy)
  if ('value' in vector) (parent as Fields)[last] = vector.value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else Reflect.deleteProperty(parent as Fields, last)
  return copy
}

describe('responses of the built-in kinds', () => {
  for (const seed of seeds) {
    const rows = vectors.filter((vector) => vector.seed === seed.seed)
    it(`${seed.object.kind} ${seed.seed}: ${rows.length} changes get the recorded responses`, async () => {
      const kinds = await BuiltInKinds.open()
      try {
        const subject = await Subject.open(kinds, seed)
        for (const row of rows.filter(({ op }) => op === 'POST')) await subject.check(row)
        await subject.store()
        for (const row of rows.filter(({ op }) => op !== 'POST')) await subject.check(row)
      } finally {
        await kinds.close()
      }
    })
  }
})

/** Seed with the store of its kind. */
class Subject {
  readonly #kinds: BuiltInKinds
  readonly #seed: Seed
  readonly #resource: ResourceDefinition

  private constructor(kinds: BuiltInKinds, seed: Seed, resource: ResourceDefinition) {
    this.#kinds = kinds
    this.#seed = seed
    this.#resource = resource
  }

  static async open(kinds: BuiltInKinds, seed: Seed): Promise<Subject> {
    const { kind, apiVersion } = seed.object
    const found = kinds.resources.find(
      ({ kind: name, group, version }) =>
        name === kind && apiVersion === (group === '' ? version : `${group}/${version}`),
    )
    if (found === undefined) throw new Error(`no kind ${kind}`)
    await found.strategy.ready?.(clientContext())
    return new Subject(kinds, seed, found)
  }

  async store(): Promise<void> {
    const { object, hasStatus } = this.#seed
    await this.#create(object, clientContext())
    if (hasStatus === true && object['status'] !== undefined) {
      await this.#update(object, clientContext(), this.#status())
    }
  }

  async check(vector: Vector): Promise<void> {
    const warnings: string[] = []
    const context = {
      ...clientContext(),
      dryRun: true,
      warn: (text: string) => void warnings.push(text),
    }
    const { causes, object } = await this.#answer(vector, context)
    const { seed, op, at, result, ...expected } = vector
    const found = {
      seed,
      op,
      at,
      ...('value' in expected ? { value: expected.value } : {}),
      ...(causes === undefined ? {} : { causes }),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(result === undefined ? {} : { result: object?.[at.split('/')[0] ?? ''] }),
    }
    expect(found).to.deep.equal(vector)
  }

  async #answer(
    vector: Vector,
    context: RequestContext,
  ): Promise<{ causes?: string[]; object?: ApiObject }> {
    const object = changed(this.#seed.object, vector)
    try {
      if (vector.op === 'POST') return { object: await this.#create(object, context) }
      const strategy = vector.op === 'STATUS' ? this.#status() : undefined
      return { object: await this.#update(object, context, strategy) }
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      const { causes = [] } = error.details ?? {}
      return { causes: causes.map(({ field = '', message }) => `${field}: ${message}`) }
    }
  }

  #status(): Strategy {
    return subresourceStrategy(this.#resource, 'status') ?? {}
  }

  #decoded(sent: ApiObject): ApiObject {
    const namespace = this.#resource.namespaced ? { namespace: 'default' } : {}
    const object = structuredClone({ ...sent, metadata: { ...sent.metadata, ...namespace } })
    const decoded = asWritten(object, this.#resource)
    this.#resource.strategy.setDefaults?.(decoded)
    return decoded
  }

  async #create(sent: ApiObject, context: RequestContext): Promise<ApiObject> {
    const store = this.#kinds.stores.storeOf(this.#resource)
    const { bytes } = await store.create(this.#decoded(sent), context)
    return JSON.parse(bytes.toString()) as ApiObject
  }

  async #update(sent: ApiObject, context: RequestContext, strategy?: Strategy): Promise<ApiObject> {
    const store = this.#kinds.stores.storeOf(this.#resource)
    const { name = '' } = sent.metadata
    const namespace = this.#resource.namespaced ? 'default' : ''
    const transform = () => this.#decoded(sent)
    const update = { transform, ...(strategy && { strategy }) }
    const { bytes } = await store.update({ namespace, name }, update, context)
    return JSON.parse(bytes.toString()) as ApiObject
  }
}
